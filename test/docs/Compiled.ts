// What the compiler says about the package and about the examples of the documentation: asked once a run.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Entry, entryPoints, examplesOf } from "../../docs/tools/Exports.ts"
import type { Mentions } from "../../docs/tools/Mentions.ts"
import { bundle } from "../support/Bundle.ts"
import { root } from "../support/Demo.ts"
import { once } from "../support/Once.ts"
import { run } from "../support/Packed.ts"

export interface Compiled extends Mentions {
  /** What the package exports. */
  readonly entries: ReadonlyArray<Entry>
  /** What is wrong with an example. */
  readonly faults: ReadonlyArray<string>
}

const folder = join(root, "docs", "examples")

// Below the project, so that its packages are found from them.
const written = join(root, "node_modules", ".cache", "examples")

/** The `@example`s of the comments, each written to a file that is named after its module. */
const inComments = (): ReadonlyArray<string> => {
  mkdirSync(written, { recursive: true })
  return entryPoints(root)
    .flatMap(([, folder]) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).flatMap((name) =>
        name.endsWith(".ts") ? [join(folder, name)] : []
      )
    )
    .flatMap((path) =>
      examplesOf(readFileSync(join(root, path), "utf8")).map((text, at) => {
        const file = join(written, path.replaceAll("/", ".").replace(/\.ts$/, `.${at}.ts`))
        writeFileSync(file, text)
        return file
      })
    )
}

export const compiled = async (): Promise<Compiled> => {
  const examples = readdirSync(folder).filter((name) => name.endsWith(".ts"))
  const text = await once("compiled", async (shared) => {
    const output = join(shared, "output.json")
    const paths = examples.map((name) => join(folder, name))
    await run(process.execPath, [bundle("../docs/Compile.ts"), root, output, ...paths, ...inComments()])
    return readFileSync(output, "utf8")
  })
  return JSON.parse(text)
}

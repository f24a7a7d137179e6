// What the compiler says about the package and about the examples of the documentation: asked once a run.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Entry } from "../../docs/tools/Exports.ts"
import { bundle } from "../support/Bundle.ts"
import { root } from "../support/Demo.ts"
import { once } from "../support/Once.ts"
import { run } from "../support/Packed.ts"

export interface Compiled {
  /** What the package exports. */
  readonly entries: ReadonlyArray<Entry>
  /** The types in public signatures that no entry point exports. */
  readonly unnamed: ReadonlyArray<string>
  /** What is wrong with an example. */
  readonly faults: ReadonlyArray<string>
}

const folder = join(root, "docs", "examples")

export const compiled = async (): Promise<Compiled> => {
  const examples = readdirSync(folder).filter((name) => name.endsWith(".ts"))
  const text = await once("compiled", async (shared) => {
    const output = join(shared, "output.json")
    const paths = examples.map((name) => join(folder, name))
    await run(process.execPath, [bundle("../docs/Compile.ts"), root, output, ...paths])
    return readFileSync(output, "utf8")
  })
  return JSON.parse(text)
}

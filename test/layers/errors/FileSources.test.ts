import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { buildSync } from "esbuild"
import * as FileSources from "../../../layers/errors/FileSources.ts"
import { Sources } from "../../../src/errors/Sources.ts"
import { folder, root } from "../../support/Demo.ts"

const here = fileURLToPath(import.meta.url)
const fixtures = join(dirname(here), "fixtures")
const open = (project: string) => Effect.provide(Sources, FileSources.layerWith({ root: project }))
const require = createRequire(import.meta.url)

describe("FileSources", () => {
  it.scopedLive("reads a file of the project that the process has loaded", () =>
    Effect.gen(function* () {
      const { read } = yield* open(root)
      expect(read(here)?.some((line) => line.includes("reads a file of the project"))).toBe(true)
    })
  )

  it.scopedLive("reads no other file, whatever an error names", () =>
    Effect.gen(function* () {
      const project = yield* folder
      const outside = join(yield* folder, "outside.cjs")
      const loaded = join(project, "loaded.cjs")
      writeFileSync(loaded, "module.exports = 1\n")
      writeFileSync(outside, "module.exports = 'canary'\n")
      writeFileSync(join(project, "idle.cjs"), "module.exports = 'canary'\n")
      writeFileSync(join(project, "secrets.json"), '{ "canary": 1 }')
      writeFileSync(join(project, ".env"), "PASSWORD=canary")
      symlinkSync(outside, join(project, "link.cjs"))
      mkdirSync(join(project, "node_modules", "dependency"), { recursive: true })
      copyFileSync(loaded, join(project, "node_modules", "dependency", "index.cjs"))
      for (const file of [loaded, outside, join(project, "secrets.json"), join(project, "link.cjs")]) require(file)
      require(join(project, "node_modules", "dependency", "index.cjs"))
      const { read } = yield* open(project)
      expect(read(loaded)).toEqual(["module.exports = 1", ""])
      const refused = [
        outside,
        join(project, "link.cjs"),
        join(project, "idle.cjs"),
        join(project, "secrets.json"),
        join(project, ".env"),
        join(project, "missing.ts"),
        join(project, "node_modules", "dependency", "index.cjs"),
        `${project}/../${outside}`,
        project,
        "loaded.cjs",
        "/etc/passwd",
        "node:fs",
        "",
        "\0.ts"
      ]
      expect(refused.map((file) => [file, read(file)])).toEqual(refused.map((file) => [file, undefined]))
    })
  )

  it.scopedLive("sees a change of the file, and its end", () =>
    Effect.gen(function* () {
      const project = yield* folder
      const file = join(project, "changing.cjs")
      writeFileSync(file, "1")
      require(file)
      const { read } = yield* open(project)
      expect(read(file)).toEqual(["1"])
      writeFileSync(file, "\uFEFF1\r\n2")
      expect(read(file)).toEqual(["1", "2"])
      writeFileSync(file, "1\0binary")
      expect(read(file)).toBeUndefined()
      rmSync(file)
      expect(read(file)).toBeUndefined()
    })
  )

  // What a stack says under each way to run a program: the lines of the TypeScript that a person wrote.
  const program = join(fixtures, "Locate.ts")
  const run = (args: ReadonlyArray<string>, cwd: string) =>
    JSON.parse(
      execFileSync(process.execPath, args, { cwd, encoding: "utf8", env: { ...process.env, VITEST: undefined } })
    )
  const expected = { line: 12, source: '  throw new Error("located")' }

  it.scopedLive("finds the lines of TypeScript under tsx", () =>
    Effect.sync(() => {
      expect(run(["--import", "tsx", program], root)).toEqual({ ...expected, file: program })
    })
  )

  const build = (project: string): string => {
    const original = join(project, "Locate.ts")
    const outfile = join(project, "dist", "program.js")
    writeFileSync(original, readFileSync(program, "utf8").replaceAll("../../../../", root))
    writeFileSync(join(project, "package.json"), '{ "type": "module" }')
    buildSync({
      entryPoints: [original],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      sourcemap: true,
      logLevel: "silent",
      nodePaths: [join(root, "node_modules")]
    })
    return outfile
  }

  it.scopedLive("finds them in a built program, with node's source maps and without", () =>
    Effect.gen(function* () {
      const project = realpathSync(yield* folder)
      const built = build(project)
      const original = join(project, "Locate.ts")
      expect(run([built], project)).toEqual({ ...expected, file: original })
      expect(run(["--enable-source-maps", built], project)).toEqual({ ...expected, file: original })
      // A program that is shipped without its sources carries them in the map.
      rmSync(original)
      expect(run([built], project)).toEqual({ ...expected, file: original })
    })
  )
})

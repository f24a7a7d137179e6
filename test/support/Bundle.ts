// Scripts as single files that start in a fraction of the time that their sources take.
import { build as buildAll, type BuildOptions, buildSync } from "esbuild"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { inject } from "vitest"
import { root } from "./Demo.ts"
import { once } from "./Once.ts"

const common: BuildOptions = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["better-sqlite3", "pg-native", "argon2", "bcrypt", "typescript"],
  banner: { js: 'import{createRequire as _require}from"node:module";const require=_require(import.meta.url);' }
}

const built = new Map<string, string>()

/** Builds a script, given by its path from this folder, once in this process; returns the path of the result. */
export const bundle = (script: string): string => {
  const last = built.get(script)
  if (last !== undefined) return last
  const name = script.replace(/^(?:\.\.\/)+|\.ts$/g, "").replaceAll("/", "-")
  const path = build(name, { entryPoints: [Path.join(import.meta.dirname, script)] })
  built.set(script, path)
  return path
}

/** Builds programs into a folder, each as `NAME.mjs` beside the chunks that they share. */
export const bundlePrograms = (entryPoints: Array<string>, outdir: string): Promise<unknown> =>
  buildAll({ ...common, entryPoints, outdir, splitting: true, outExtension: { ".js": ".mjs" } })

/**
 * An example of the documentation, which imports this package by its name; the path of the result. The first test file that
 * asks for one builds all of them, because most of the work is the same.
 */
export const bundleExample = async (path: string): Promise<string> => {
  const folder = await once("examples", async () => {
    const all = Fs.readdirSync(Path.join(root, "docs", "examples"))
    const names = all.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    const outdir = Path.join(inject("demo"), "examples")
    const paths = names.map((name) => Path.join(root, "docs", "examples", name))
    await bundlePrograms(paths, outdir)
    return outdir
  })
  return Path.join(folder, Path.basename(path).replace(/\.ts$/, ".mjs"))
}

// Packages are resolved from the folder of the result, so it is under `node_modules`.
const build = (name: string, options: BuildOptions): string => {
  const file = Path.join(root, "node_modules", ".cache", "test-scripts", `${name}.mjs`)
  const draft = `${file}.${process.pid}`
  buildSync({ ...common, ...options, outfile: draft })
  // Another run of the tests may be starting the same script.
  Fs.renameSync(draft, file)
  return file
}

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

/** Builds a script, given by its path from this folder; returns the path of the result. */
export const bundle = (script: string): string =>
  build(script.replace(/^(?:\.\.\/)+|\.ts$/g, "").replaceAll("/", "-"), {
    entryPoints: [Path.join(import.meta.dirname, script)]
  })

/**
 * An example of the documentation, which imports this package by its name; the path of the result. The first test file that
 * asks for one builds all of them, because most of the work is the same.
 */
export const bundleExample = async (path: string): Promise<string> => {
  const folder = await once("examples", async () => {
    const all = Fs.readdirSync(Path.join(root, "docs", "examples"))
    const names = all.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    const outdir = Path.join(inject("demo"), "examples")
    await buildAll({
      ...common,
      entryPoints: names.map((name) => Path.join(root, "docs", "examples", name)),
      outdir,
      splitting: true,
      outExtension: { ".js": ".mjs" }
    })
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

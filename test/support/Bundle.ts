// Scripts as single files that start in a fraction of the time that their sources take.
import { type BuildOptions, buildSync } from "esbuild"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { root } from "./Demo.ts"

/** Builds a script, given by its path from this folder; returns the path of the result. */
export const bundle = (script: string): string =>
  build(script.replace(/^(?:\.\.\/)+|\.ts$/g, "").replaceAll("/", "-"), {
    entryPoints: [Path.join(import.meta.dirname, script)],
    external: ["better-sqlite3", "pg-native", "argon2", "bcrypt", "typescript"],
    banner: { js: 'import{createRequire as _require}from"node:module";const require=_require(import.meta.url);' }
  })

/** Builds an example of the documentation, which imports this package by its name; returns the path of the result. */
export const bundleExample = (path: string): string =>
  build(`example-${Path.basename(path, ".ts")}`, { entryPoints: [Path.join(root, path)], packages: "external" })

// Packages are resolved from the folder of the result, so it is under `node_modules`.
const build = (name: string, options: BuildOptions): string => {
  const file = Path.join(root, "node_modules", ".cache", "test-scripts", `${name}.mjs`)
  const draft = `${file}.${process.pid}`
  buildSync({ ...options, outfile: draft, bundle: true, platform: "node", format: "esm", target: "node20" })
  // Another run of the tests may be starting the same script.
  Fs.renameSync(draft, file)
  return file
}

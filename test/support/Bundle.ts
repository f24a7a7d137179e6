// A script of this folder as one file that starts in a fraction of the time that its sources take.
import { buildSync } from "esbuild"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { root } from "./Demo.ts"

/** Builds the script; where it is. Native modules are found from there, so it lies under `node_modules`. */
export const bundle = (script: string): string => {
  const file = Path.join(root, "node_modules", ".cache", "test-scripts", script.replace(/\.ts$/, ".mjs"))
  const draft = `${file}.${process.pid}`
  buildSync({
    entryPoints: [Path.join(import.meta.dirname, script)],
    outfile: draft,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["better-sqlite3", "pg-native"],
    banner: { js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);' }
  })
  // Another run of the tests may be starting the same script.
  Fs.renameSync(draft, file)
  return file
}

// Bundles the demo before the first test file, as for production: the bundle starts in a fraction of the time that the
// sources take, and tests start it often.
import { build } from "esbuild"
import { cpSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder of the bundled demo: `main.mjs` and the views. */
    readonly demo: string
  }
}

const root = fileURLToPath(new URL("../..", import.meta.url))

const setup = async (project: TestProject) => {
  // Where `npm run build` puts it: packages are found from there, and its sources count as the project's own.
  const outdir = join(root, "dist", `test-demo-${process.pid}`)
  await build({
    absWorkingDir: root,
    entryPoints: ["demo/main.ts"],
    outdir,
    bundle: true,
    splitting: true,
    sourcemap: true,
    platform: "node",
    target: "node20",
    format: "esm",
    logLevel: "error",
    external: ["better-sqlite3", "argon2", "bcrypt", "pg-native"],
    outExtension: { ".js": ".mjs" },
    banner: { js: "import{createRequire as _require}from'node:module';const require=_require(import.meta.url);" }
  })
  cpSync(join(root, "demo", "views"), join(outdir, "views"), { recursive: true })
  project.provide("demo", outdir)
  return () => rmSync(outdir, { recursive: true, force: true })
}

export default setup

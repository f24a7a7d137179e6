// The demo bundled as it is for production: its workers start in a fraction of the time that the sources take.
import { Effect } from "effect"
import { build as esbuild } from "esbuild"
import { rmSync } from "node:fs"
import { join } from "node:path"
import * as Demo from "../../support/Demo.ts"

// Packages that stay outside are found from where the result lies.
const outdir = join(Demo.root, "node_modules", ".cache", `test-demo-${process.pid}`)

const build = async (): Promise<string> => {
  await esbuild({
    entryPoints: [join(Demo.root, "demo", "main.ts")],
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
    external: ["better-sqlite3", "argon2", "bcrypt", "pg-native"],
    banner: { js: "import{createRequire as _require}from'node:module';const require=_require(import.meta.url);" }
  })
  return join(outdir, "main.mjs")
}

const bundle = Effect.acquireRelease(Effect.promise(build), () =>
  Effect.sync(() => rmSync(outdir, { recursive: true, force: true }))
)

/** Starts it and waits until it listens. */
export const start = (env: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const process = yield* Demo.start([yield* bundle], { PORT: "0", STORAGE_DIR: yield* Demo.folder, ...env })
    const [, url = ""] = yield* process.says(/listening on (http:\/\/\S+)/)
    return { ...process, url }
  })

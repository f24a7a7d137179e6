// A program bundled as `npm run build` bundles the demo, because that is what runs in production.
import { build } from "esbuild"
import { basename, dirname, join } from "node:path"

export const bundle = async (entry: string): Promise<string> => {
  const outdir = join("dist", "bench", dirname(entry).replace(/^bench\/?/, ""))
  await build({
    entryPoints: [entry],
    outdir,
    bundle: true,
    minifyWhitespace: true,
    minifySyntax: true,
    platform: "node",
    target: "node20",
    format: "esm",
    sourcemap: true,
    logLevel: "warning",
    external: ["better-sqlite3", "argon2", "bcrypt", "pg-native"],
    banner: { js: "import{createRequire as _require}from'node:module';const require=_require(import.meta.url);" }
  })
  return join(outdir, basename(entry).replace(/\.ts$/, ".js"))
}

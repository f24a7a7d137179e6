// A program bundled as `npm run build` bundles the demo, because that is what runs in production.
import { build } from "esbuild"
import { basename, join } from "node:path"
import { options, outputOf } from "../app/Bundle.ts"

/** One file: a profile reads its map. */
export const bundle = async (entry: string): Promise<string> => {
  await build({ ...options(entry, process.cwd()), splitting: false })
  return join(outputOf(process.cwd(), entry), basename(entry).replace(/\.ts$/, ".js"))
}

// A program bundled as `npm run build` bundles the demo, because that is what runs in production.
import { build } from "esbuild"
import { basename, join } from "node:path"
import * as Bundle from "../app/Bundle.ts"

/** One file: a profile reads its map. */
export const bundle = async (entry: string): Promise<string> => {
  const output = Bundle.outputOf(process.cwd(), entry)
  await build({ ...Bundle.options(entry, process.cwd()), splitting: false })
  await Bundle.index(output)
  return join(output, basename(entry).replace(/\.ts$/, ".js"))
}

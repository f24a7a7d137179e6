// The demo as one bundle, as for production: it starts in a fraction of the time that the sources take.
import { build } from "esbuild"
import { cpSync, rmSync } from "node:fs"
import { join } from "node:path"
import { options } from "../../app/Bundle.ts"
import { root } from "./NodeProcess.ts"

export interface DemoBundle {
  /** The folder with `main.mjs` and the views. */
  readonly folder: string
  readonly remove: () => void
}

/** Bundles the demo for this process. */
export const make = async (): Promise<DemoBundle> => {
  // Where `npm run build` puts it: packages are found from there, and its sources count as the project's own.
  const folder = join(root, "dist", `test-demo-${process.pid}`)
  await build({ ...options("demo/main.ts", root), outdir: folder, logLevel: "error", outExtension: { ".js": ".mjs" } })
  cpSync(join(root, "demo", "views"), join(folder, "views"), { recursive: true })
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

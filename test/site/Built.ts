// The site as `npm run site -- build` writes it: built once a run.
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { extname, join } from "node:path"
import { root } from "../support/Demo.ts"
import { once } from "../support/Once.ts"
import { run } from "../support/Packed.ts"

export interface Built {
  /** The folder of the files. */
  readonly folder: string
  /** What the build printed. */
  readonly output: string
}

export const built = async (): Promise<Built> => {
  const text = await once("site", async (shared) => {
    const folder = join(shared, "dist")
    const { NODE_ENV: _, ...env } = process.env
    const words = [join(root, "node_modules", "tsx", "dist", "cli.mjs"), "site/main.ts", "build", "--outDir", folder]
    const { stderr, stdout } = await run(process.execPath, words, { cwd: root, env })
    return JSON.stringify({ folder, output: stdout + stderr })
  })
  return JSON.parse(text)
}

export interface HtmlPage {
  /** `auth.html`, `api/auth.html`. */
  readonly address: string
  readonly html: string
}

export const htmlPages = (folder: string): ReadonlyArray<HtmlPage> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html"))
    .map((address) => ({ address, html: readFileSync(join(folder, address), "utf8") }))

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" }

/** The text of some HTML. */
export const textOf = (html: string): string =>
  html.replace(/<[^>]*>/g, "").replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => entities[name] ?? "")

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png"
}

/** Serves the files as a plain host does; its address, until the scope ends. */
export const served = (folder: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<{ readonly stop: () => void; readonly port: number }>((resume) => {
        const server = createServer((request, response) => {
          const path = decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname)
          const file = join(folder, path.endsWith("/") ? `${path}index.html` : path)
          try {
            const content = readFileSync(file)
            response.writeHead(200, { "content-type": types[extname(file)] ?? "text/plain" }).end(content)
          } catch {
            response.writeHead(404).end()
          }
        })
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          const port = typeof address === "object" && address !== null ? address.port : 0
          const stop = () => {
            server.close()
            server.closeAllConnections()
          }
          resume(Effect.succeed({ stop, port }))
        })
      }),
      ({ stop }) => Effect.sync(stop)
    ),
    ({ port }) => `http://127.0.0.1:${port}`
  )

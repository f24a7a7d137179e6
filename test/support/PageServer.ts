// A server with an empty page: another origin, in tests of what browsers allow one.
import { Effect } from "effect"
import * as Http from "node:http"

/** Listens on a free port of 127.0.0.1 until the scope ends. */
export const pageServer = Effect.acquireRelease(
  Effect.async<{ readonly server: Http.Server; readonly port: number }>((resume) => {
    const server = Http.createServer((_, res) => void res.end("<!doctype html><title>Another site</title>"))
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed({ server, port: typeof address === "object" && address !== null ? address.port : 0 }))
    })
  }),
  ({ server }) => Effect.async<void>((resume) => void server.close(() => resume(Effect.void)).closeAllConnections())
)

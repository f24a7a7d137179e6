// A node:http server for Effect's stock `HttpServer`, which listens before the program that it serves is built.
import * as Http from "node:http"

/** Requests that may wait while the layers are built; beyond that they get 503. */
const maxWaiting = 1000

/**
 * For `NodeHttpServer.layer(MountServer.create, …)`: requests that come before the routes are mounted wait for them.
 * With Node's own `createServer` they would never get a response.
 */
export const create = (): Http.Server => {
  const server = Http.createServer({ connectionsCheckingInterval: 500, headersTimeout: 15_000, requestTimeout: 30_000 })
  const waiting: Array<readonly [Http.IncomingMessage, Http.ServerResponse]> = []
  const hold = (req: Http.IncomingMessage, res: Http.ServerResponse) => {
    if (waiting.length < maxWaiting) return void waiting.push([req, res])
    res.writeHead(503, { "retry-after": "1", connection: "close" })
    res.end()
  }
  const mounted = (event: string | symbol) => {
    if (event !== "request") return
    server.off("newListener", mounted).off("request", hold)
    // The event fires before the listener is added.
    queueMicrotask(() => {
      for (const [req, res] of waiting.splice(0)) if (!res.destroyed) server.emit("request", req, res)
    })
  }
  return server.on("request", hold).on("newListener", mounted)
}

// A route with WebSockets on Effect's stock server: the same handshake, origins and end of the handler.
import { HttpLayerRouter, HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Mount } from "../../../layers/server/index.ts"
import { Pipeline } from "../../../routes/server/index.ts"
import { WebSockets } from "../../../routes/session/index.ts"
import * as Serving from "../../support/Serving.ts"
import * as WebSocketClient from "../../support/WebSocketClient.ts"

class Mounted extends Context.Tag("test/Mounted")<Mounted, { readonly url: string }>() {}

const echo = WebSockets.response((socket) =>
  Effect.flatMap(socket.writer, (write) => socket.runRaw((message) => write(message)))
)

const routes = Pipeline.mounted(Pipeline.stateless([WebSockets.route()(HttpLayerRouter.route("GET", "/echo", echo))]))

const mounted = Layer.effect(
  Mounted,
  Effect.map(HttpServer.HttpServer, ({ address }) => ({
    url: `http://127.0.0.1:${address._tag === "TcpAddress" ? address.port : 0}`
  }))
).pipe(
  Layer.provide(HttpLayerRouter.serve(HttpLayerRouter.addAll(routes), { disableLogger: true })),
  Layer.provide(Serving.support()),
  Layer.provide(NodeHttpServer.layer(Mount.createServer, { port: 0, host: "127.0.0.1" }))
)

layer(mounted, { excludeTestServices: true })("A WebSocket on the stock server", (it) => {
  it.scoped("is upgraded, checked and required as on the framework's own", () =>
    Effect.gen(function* () {
      const { url } = yield* Mounted
      const client = yield* WebSocketClient.open(`${url}/echo`)
      expect(client.status).toBe(101)
      client.send("hello")
      expect(yield* client.next).toBe("hello")
      client.socket.close(1001)
      expect((yield* client.closed)[0]).toBe(1001)
      expect((yield* WebSocketClient.open(`${url}/echo`, { origin: "https://evil.example" })).status).toBe(403)
      const plain = yield* Effect.promise(() => fetch(`${url}/echo`))
      expect([plain.status, plain.headers.get("upgrade")]).toEqual([426, "websocket"])
    })
  )
})

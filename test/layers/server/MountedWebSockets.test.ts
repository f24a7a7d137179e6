// A route with WebSockets on Effect's stock server: the same handshake, origins and end of the handler.
import { HttpLayerRouter, HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope, Stream } from "effect"
import { Mount } from "../../../layers/server/index.ts"
import { Pipeline } from "../../../routes/server/index.ts"
import { ServerSentEvents, WebSockets } from "../../../routes/session/index.ts"
import { eventually } from "../../support/Eventually.ts"
import * as OpenResponse from "../../support/OpenResponse.ts"
import * as Serving from "../../support/Serving.ts"
import * as WebSocketClient from "../../support/WebSocketClient.ts"

class Mounted extends Context.Tag("test/Mounted")<Mounted, { readonly url: string }>() {}

const echo = WebSockets.response((socket) =>
  Effect.flatMap(socket.writer, (write) => socket.runRaw((message) => write(message)))
)

const routes = Pipeline.mounted(
  Pipeline.stateless([
    WebSockets.route()(HttpLayerRouter.route("GET", "/echo", echo)),
    WebSockets.route({ perClient: 2 })(HttpLayerRouter.route("GET", "/few", echo)),
    HttpLayerRouter.route("GET", "/events", ServerSentEvents.response(Stream.never, { perClient: 2 }))
  ])
)

const mounted = Layer.effect(
  Mounted,
  Effect.map(HttpServer.HttpServer, ({ address }) => ({
    url: `http://127.0.0.1:${address._tag === "TcpAddress" ? address.port : 0}`
  }))
).pipe(
  Layer.provide(HttpLayerRouter.serve(HttpLayerRouter.addAll(routes), { disableLogger: true })),
  Layer.provide(Layer.merge(Serving.support(), Mount.layerStreams)),
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

  it.scoped("is one of those that a client may have, together with its event streams", () =>
    Effect.gen(function* () {
      const { url } = yield* Mounted
      const status = (path: string) =>
        Effect.scoped(
          path === "/few"
            ? Effect.map(WebSocketClient.open(`${url}/few`), ({ status }) => status)
            : Effect.map(OpenResponse.open(`${url}${path}`), ({ status }) => status)
        )
      const client = yield* WebSocketClient.open(`${url}/few`)
      const inner = yield* Scope.make()
      expect((yield* Scope.extend(OpenResponse.open(`${url}/events`), inner)).status).toBe(200)
      expect([client.status, yield* status("/few"), yield* status("/events")]).toEqual([101, 429, 429])
      client.socket.close(1000)
      yield* eventually(status("/few"), (given) => given === 101)
      yield* Scope.close(inner, Exit.void)
      yield* eventually(status("/events"), (given) => given === 200)
    })
  )
})

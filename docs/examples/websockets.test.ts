import { HttpLayerRouter, Socket } from "@effect/platform"
import { NodeSocket } from "@effect/platform-node"
import { expect, layer } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { Access } from "effect-framework/routes/auth"
import { WebSockets } from "effect-framework/routes/session"
import { ServerAddress } from "effect-framework/server"
import { TestApp } from "effect-framework/testing"

const shout = WebSockets.response((socket) =>
  Effect.gen(function* () {
    const write = yield* socket.writer
    yield* socket.runRaw((message) => write(String(message).toUpperCase()))
  })
)

const routes = [
  WebSockets.route()(HttpLayerRouter.route("GET", "/shout", shout)),
  WebSockets.route({ maxMessage: "16 KiB" })(HttpLayerRouter.route("GET", "/members/shout", Access.requireUser(shout)))
]

layer(TestApp.layer(routes))("the shouting socket", (it) => {
  it.scoped("says everything louder", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress.ServerAddress
      const socket = yield* Socket.makeWebSocket(`${url.replace("http", "ws")}/shout`)
      const heard = yield* Deferred.make<string>()
      yield* Effect.fork(socket.runRaw((message) => Deferred.succeed(heard, String(message))))
      const write = yield* socket.writer
      yield* write("more tea")
      expect(yield* Deferred.await(heard)).toBe("MORE TEA")
    }).pipe(Effect.provide(NodeSocket.layerWebSocketConstructor))
  )

  it.effect("is no page", () =>
    Effect.gen(function* () {
      const ann = yield* TestApp.signedInUser()
      expect((yield* ann.request("/members/shout")).status).toBe(426)
    })
  )
})

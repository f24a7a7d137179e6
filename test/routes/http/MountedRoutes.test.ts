import { HttpLayerRouter } from "@effect/platform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import * as Mount from "../../../layers/server/Mount.ts"
import * as MountedRoutes from "../../../routes/http/internal/MountedRoutes.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as Respond from "../../../routes/session/Respond.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as Serving from "../../support/Serving.ts"

const page = Effect.gen(function* () {
  return Respond.json({ other: yield* MountedRoutes.has("/other"), missing: yield* MountedRoutes.has("/missing") })
})

const routes = [HttpLayerRouter.route("GET", "/page", page), HttpLayerRouter.route("POST", "/other", page)] as const

const read = (url: string) => Effect.promise(async () => (await fetch(`${url}/page`)).json())

describe("A page", () => {
  it.scopedLive("knows which other routes its program has", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      expect(yield* read(url)).toEqual({ other: true, missing: false })
    }).pipe(Effect.provide(Serving.layer(routes)))
  )

  it.scopedLive("knows it on another server too", () =>
    Effect.gen(function* () {
      const listening = yield* Deferred.make<number>()
      const create = () => {
        const server = Mount.createServer()
        return server.once("listening", () => {
          const address = server.address()
          Deferred.unsafeDone(listening, Effect.succeed(typeof address === "object" ? (address?.port ?? 0) : 0))
        })
      }
      const mount = HttpLayerRouter.serve(HttpLayerRouter.addAll(Pipeline.mounted(Pipeline.stateless(routes))), {
        disableLogger: true
      }).pipe(
        Layer.provide(Serving.support()),
        Layer.provide(NodeHttpServer.layer(create, { port: 0, host: "127.0.0.1" }))
      )
      yield* Effect.forkScoped(Layer.launch(mount))
      expect(yield* read(`http://127.0.0.1:${yield* Deferred.await(listening)}`)).toEqual({
        other: true,
        missing: false
      })
    })
  )

  it.effect("knows none outside of a request", () =>
    Effect.gen(function* () {
      expect(yield* MountedRoutes.has("/other")).toBe(false)
    })
  )
})

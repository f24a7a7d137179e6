import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Option, Stream } from "effect"
import { ApiAuthentication, AuthRoutes } from "effect-framework/routes/auth"
import { ApiHandlers, Pipeline } from "effect-framework/routes/server"
import { ServerSentEvents } from "effect-framework/routes/session"
import { TestApp } from "effect-framework/testing"

const kettle = HttpApiGroup.make("kettle")
  .add(HttpApiEndpoint.get("events", "/kettle").addSuccess(HttpApiSchema.Text({ contentType: "text/event-stream" })))
  .middleware(ApiAuthentication.ApiAuthentication)

const KettleApi = HttpApi.make("kettle").add(kettle).prefix("/api")

const degrees = [80, 90, 100]

const handlers = ApiHandlers.group(KettleApi, "kettle", (all) =>
  all.handleRaw("events", () =>
    Effect.gen(function* () {
      const last = Option.match(yield* ServerSentEvents.lastEventId, { onNone: () => 0, onSome: Number })
      const later = degrees
        .map((degree, at) => ({ id: String(at + 1), event: "degree", data: String(degree) }))
        .slice(last)
      return yield* ServerSentEvents.response(Stream.fromIterable(later))
    })
  )
)

const app = Pipeline.app([...Pipeline.pages(AuthRoutes.routes), ...Pipeline.api(KettleApi)])

const services = ApiHandlers.layer(KettleApi).pipe(Layer.provide(handlers), Layer.provide(ApiAuthentication.layer))

layer(TestApp.layerOf(app, { services }))("the kettle", (it) => {
  it.effect("tells a client that comes back what it has missed", () =>
    Effect.gen(function* () {
      const ann = yield* TestApp.signedInUser()
      const { body } = yield* ann.request("/api/kettle", { headers: { "last-event-id": "2" } })
      expect(body).toBe("retry: 3000\n\nevent: degree\nid: 3\ndata: 100\n\n")
    })
  )
})

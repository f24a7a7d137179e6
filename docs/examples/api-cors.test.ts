import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { ApiHandlers, Pipeline } from "effect-framework/routes/server"
import { TestApp } from "effect-framework/testing"

const teas = HttpApiGroup.make("teas").add(HttpApiEndpoint.get("list", "/teas").addSuccess(Schema.Array(Schema.String)))

const TeaApi = HttpApi.make("teas").add(teas).prefix("/api")

const handlers = ApiHandlers.group(TeaApi, "teas", (all) => all.handle("list", () => Effect.succeed(["Assam"])))

const app = Pipeline.app(Pipeline.api(TeaApi, { cors: { origins: ["https://shop.example"] } }))

const services = Layer.provide(ApiHandlers.layer(TeaApi), handlers)

layer(TestApp.layerOf(app, { services }))("the list of teas", (it) => {
  it.effect("can be read by a page of the shop, and by no other", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      for (const [origin, allowed] of [
        ["https://shop.example", "https://shop.example"],
        ["https://other.example", null]
      ] as const) {
        const { headers } = yield* guest.request("/api/teas", { headers: { origin } })
        expect(headers.get("access-control-allow-origin")).toBe(allowed)
      }
    })
  )
})

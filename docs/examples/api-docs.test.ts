import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { ApiDocs, ApiHandlers, Pipeline } from "effect-framework/routes/server"
import { TestApp } from "effect-framework/testing"

const Tea = Schema.Struct({ name: Schema.String.annotations({ examples: ["Assam"] }), price: Schema.Number })

const teas = HttpApiGroup.make("teas")
  .add(HttpApiEndpoint.get("list", "/teas").addSuccess(Schema.Array(Tea)).annotate(OpenApi.Summary, "All teas"))
  .annotate(OpenApi.Description, "What can be poured.")

const TeaApi = HttpApi.make("teas").add(teas).prefix("/api").annotate(OpenApi.Title, "Teas")

const handlers = ApiHandlers.group(TeaApi, "teas", (all) =>
  all.handle("list", () => Effect.succeed([{ name: "Assam", price: 3.5 }]))
)

const app = Pipeline.app([
  ...Pipeline.api(TeaApi),
  ...Pipeline.stateless(ApiDocs.routes([TeaApi])),
  ...Pipeline.pages(ApiDocs.pages([TeaApi]))
])

const services = Layer.provide(ApiHandlers.layer(TeaApi), handlers)

layer(TestApp.layerOf(app, { services }))("the document", (it) => {
  it.effect("describes the API", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      expect((yield* guest.get("/api/docs")).text).toContain("What can be poured.")
      const { json } = yield* guest.request("/openapi.json")
      expect(json).toMatchObject({ info: { title: "Teas" }, paths: { "/api/teas": { get: { summary: "All teas" } } } })
    })
  )
})

// `/openapi.json` over a real server.
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as ApiDocs from "../../../routes/server/ApiDocs.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as ExampleApi from "../../support/ExampleApi.ts"

const apis = [ExampleApi.TeaApi, ExampleApi.MeApi] as const

const app = Pipeline.app([
  ...Pipeline.pages(AuthRoutes.routes),
  ...Pipeline.stateless(ApiDocs.routes(apis)),
  ...Pipeline.stateless(ApiDocs.routes(apis, { path: "/v2.json", servers: [{ url: "https://other.example" }] }))
])

layer(TestApp.layerOf(app, { settings: { sessionName: "__Host-sid" } }))("GET /openapi.json", (it) => {
  it.effect("has the address and the cookie of the settings", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const { headers, json, status } = yield* guest.request("/openapi.json")
      expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
        200,
        "application/json",
        "no-cache"
      ])
      expect(json).toMatchObject({
        openapi: "3.1.0",
        info: { title: "Teas" },
        servers: [{ url: TestApp.appUrl }],
        components: { securitySchemes: { session: { in: "cookie", name: "__Host-sid" } } }
      })
      expect((yield* guest.request("/v2.json")).json).toMatchObject({ servers: [{ url: "https://other.example" }] })
    })
  )

  it.effect("answers HEAD, and 304 to a client that has it", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const first = yield* guest.request("/openapi.json")
      const etag = first.headers.get("etag") ?? ""
      const head = yield* guest.request("/openapi.json", { method: "HEAD" })
      expect([head.status, head.body, head.headers.get("etag")]).toEqual([200, "", etag])
      const again = yield* guest.request("/openapi.json", { headers: { "if-none-match": etag } })
      expect([again.status, again.body]).toEqual([304, ""])
    })
  )
})

// Cross-origin requests over real sockets: what a browser needs to allow them, and what must never be there.
import { expect, it, layer } from "@effect/vitest"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Effect, Layer, Ref, Schema } from "effect"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as ApiDocs from "../../../routes/server/ApiDocs.ts"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import { defaultLimit } from "../../../src/http/internal/RouteOptions.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as ExampleApi from "../../support/ExampleApi.ts"

const origin = "https://app.other.example"
const stranger = "https://evil.example"

const Plain = HttpApi.make("plain").add(
  HttpApiGroup.make("plain")
    .add(HttpApiEndpoint.get("read", "/plain").setHeaders(Schema.Struct({ "X-Colour": Schema.String })))
    .add(HttpApiEndpoint.get("closed", "/closed"))
)

const Closed = HttpApi.make("closed").add(
  HttpApiGroup.make("closed").add(HttpApiEndpoint.get("closed", "/no-cors").addSuccess(Schema.String))
)

const handlers = Layer.merge(
  Layer.provide(
    ApiHandlers.layer(Plain),
    HttpApiBuilder.group(Plain, "plain", (all) =>
      all.handle("read", () => Effect.void).handle("closed", () => Effect.void)
    )
  ),
  Layer.provide(
    ApiHandlers.layer(Closed),
    HttpApiBuilder.group(Closed, "closed", (all) => all.handle("closed", () => Effect.succeed("closed")))
  )
)

const cors = { origins: [origin, "http://localhost:5173"] }

const app = Pipeline.app([
  ...Pipeline.pages(AuthRoutes.routes),
  ...Pipeline.stateless(ApiDocs.routes([ExampleApi.TeaApi])),
  ...Pipeline.api(ExampleApi.TeaApi, { cors }),
  ...Pipeline.api(ExampleApi.MeApi, { cors }),
  ...Pipeline.api(Plain, { cors: { ...cors, maxAge: "1 hour" } }),
  ...Pipeline.api(Closed)
])

const services = Layer.merge(ExampleApi.layer, handlers)

const namesOf = (text: string | null) => (text ?? "").split(", ").sort()

layer(TestApp.layerOf(app, { environment: "production", services }))("An API with CORS", (it) => {
  const ask = (path: string, from: string, method: string) =>
    Effect.flatMap(TestApp.guest, (guest) =>
      guest.request(path, { method: "OPTIONS", headers: { origin: from, "access-control-request-method": method } })
    )

  it.effect("answers a preflight with the methods and headers of its endpoints", () =>
    Effect.gen(function* () {
      const teas = yield* ask("/api/teas", origin, "POST")
      expect([teas.status, teas.body]).toEqual([204, ""])
      expect(teas.headers.get("access-control-allow-origin")).toBe(origin)
      expect(namesOf(teas.headers.get("access-control-allow-methods"))).toEqual(["GET", "HEAD", "POST"])
      expect(namesOf(teas.headers.get("access-control-allow-headers"))).toEqual(["authorization", "content-type"])
      expect(teas.headers.get("access-control-max-age")).toBe("600")
      expect(namesOf(teas.headers.get("vary"))).toContain("Origin")
      expect(teas.headers.get("access-control-allow-credentials")).toBeNull()
      const tea = yield* ask("/api/teas/7", origin, "DELETE")
      expect(namesOf(tea.headers.get("access-control-allow-methods"))).toEqual(["DELETE", "GET", "HEAD", "PUT"])
      const plain = yield* ask("/plain", origin, "GET")
      expect(plain.headers.get("access-control-allow-headers")).toBe("x-colour")
      expect(plain.headers.get("access-control-max-age")).toBe("3600")
      const me = yield* ask("/api/me", origin, "GET")
      expect(me.headers.get("access-control-allow-headers")).toBe("authorization")
      expect((yield* ask("/closed", origin, "GET")).headers.has("access-control-allow-headers")).toBe(false)
    })
  )

  it.effect("allows nothing to another origin, to null, and to a request that is no preflight", () =>
    Effect.gen(function* () {
      for (const from of [stranger, "null", `${origin}.evil.example`, origin.toUpperCase(), `${origin}/`]) {
        const refused = yield* ask("/api/teas", from, "POST")
        const names = [...refused.headers.keys()].filter((name) => name.startsWith("access-control-"))
        expect([refused.status, names], from).toEqual([204, []])
        expect(refused.headers.get("vary")).toContain("Origin")
      }
      const guest = yield* TestApp.guest
      const plain = yield* guest.request("/api/teas", { method: "OPTIONS", headers: { origin } })
      expect([plain.status, plain.headers.get("access-control-allow-methods")]).toEqual([204, null])
      expect(namesOf(plain.headers.get("allow"))).toEqual(["GET", "HEAD", "OPTIONS", "POST"])
    })
  )

  it.effect("lets the page read every response of its endpoints, errors included, with the headers it needs", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const json = { "content-type": "application/json" }
      const responses = {
        200: guest.request("/api/teas", { headers: { origin } }),
        400: guest.request("/api/teas/none", { headers: { origin } }),
        401: guest.request("/api/teas", { method: "POST", body: "{}", headers: { origin, ...json } }),
        404: guest.request("/api/teas/404", { headers: { origin } }),
        413: guest.request("/api/teas", {
          method: "POST",
          body: " ".repeat(defaultLimit + 1),
          headers: { origin, ...json }
        }),
        500: Effect.zipRight(
          Effect.flatMap(ExampleApi.Fault, (fault) => Ref.set(fault, "defect")),
          guest.request("/api/teas", { headers: { origin } })
        ),
        503: Effect.zipRight(
          Effect.flatMap(ExampleApi.Fault, (fault) => Ref.set(fault, "unavailable")),
          guest.request("/api/teas", { headers: { origin } })
        )
      }
      for (const [status, request] of Object.entries(responses)) {
        const response = yield* request
        expect(response.status).toBe(Number(status))
        expect(response.headers.get("access-control-allow-origin"), status).toBe(origin)
        expect(response.headers.get("access-control-allow-credentials"), status).toBeNull()
        expect(namesOf(response.headers.get("access-control-expose-headers")), status).toEqual(
          expect.arrayContaining(["Link", "Retry-After", "X-RateLimit-Reset", "X-Request-Id", "X-Total-Count"])
        )
        expect(namesOf(response.headers.get("vary")), status).toContain("Origin")
      }
    })
  )

  it.effect("says to caches that a response differs by origin, also where no origin was sent", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const without = yield* guest.request("/api/teas")
      expect([without.headers.get("vary"), without.headers.get("access-control-allow-origin")]).toEqual([
        "Origin",
        null
      ])
      const other = yield* guest.request("/api/teas", { headers: { origin: stranger } })
      expect([other.status, other.headers.get("access-control-allow-origin")]).toEqual([200, null])
    })
  )

  it.effect("refuses a change with the cookie of a session from an allowed origin", () =>
    Effect.gen(function* () {
      const client = yield* TestApp.signedInUser()
      const { token } = (yield* client.json("GET", "/csrf")).json as { readonly token: string }
      const headers = { origin, "x-csrf-token": token }
      const refused = yield* client.request("/api/teas", { method: "POST", json: { name: "Assam", price: 1 }, headers })
      expect([refused.status, refused.json]).toEqual([403, expect.objectContaining({ reason: "origin" })])
    })
  )

  it.effect("opens no other route: not a page, not the document, not another API, not an unknown path", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      for (const path of ["/login", "/csrf", "/openapi.json", "/no-cors", "/nowhere", "/api/nowhere"]) {
        for (const method of ["GET", "OPTIONS"]) {
          const headers = { origin, "access-control-request-method": "GET" }
          const response = yield* guest.request(path, { method, headers })
          const names = [...response.headers.keys()].filter((name) => name.startsWith("access-control-"))
          expect(names, `${method} ${path}`).toEqual([])
        }
      }
    })
  )
})

it("A mistake in the origins stops the start", () => {
  for (const wrong of ["*", "null", "https://app.example/path"]) {
    expect(() => Pipeline.api(Plain, { cors: { origins: [wrong] } })).toThrow(
      `cors.origins has ${JSON.stringify(wrong)}`
    )
  }
})

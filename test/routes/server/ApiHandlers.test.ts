// An `HttpApi` on this server and on Effect's: the edge's rules hold for its endpoints as for any route.
import { expect, it, layer } from "@effect/vitest"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, Multipart } from "@effect/platform"
import { Effect, Layer, Schema } from "effect"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as NotesApi from "../../support/NotesApi.ts"

const app = Pipeline.app(Pipeline.api(NotesApi.NotesApi))

layer(TestApp.layerOf(app, { environment: "production", services: NotesApi.layer }))("An API on this server", (it) => {
  it.effect("runs its handlers, with the headers of every response", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const response = yield* guest.request("/api/ping")
      expect([response.status, response.json]).toEqual([200, { pong: true }])
      expect(response.headers.get("x-content-type-options")).toBe("nosniff")
      expect(response.headers.get("x-request-id")).not.toBeNull()
    })
  )

  it.effect("answers HEAD, a wrong method and an unknown path like any other route", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      expect((yield* guest.request("/api/ping", { method: "HEAD" })).status).toBe(200)
      const wrong = yield* guest.request("/api/ping", { method: "DELETE" })
      expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, expect.stringContaining("GET")])
      expect((yield* guest.request("/api/nothing")).status).toBe(404)
      expect((yield* guest.request("/api/ping/")).status).toBe(404)
    })
  )

  it.effect("renders a defect by the environment and tells nothing of it", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const response = yield* guest.request("/api/broken", { headers: { accept: "application/json" } })
      expect(response.status).toBe(500)
      expect(response.body).not.toContain("secret")
    })
  )
})

const File = HttpApi.make("files").add(
  HttpApiGroup.make("files").add(
    HttpApiEndpoint.post("send", "/files").setPayload(
      HttpApiSchema.Multipart(Schema.Struct({ file: Multipart.SingleFileSchema }))
    )
  )
)

it.effect("A multipart endpoint stops the start and names Upload.route", () =>
  Effect.gen(function* () {
    const handlers = HttpApiBuilder.group(File, "files", (all) => all.handle("send", () => Effect.void))
    const failure = yield* Effect.flip(
      Effect.scoped(Layer.build(ApiHandlers.layer(File).pipe(Layer.provide(handlers))))
    )
    expect(failure.message).toContain("POST /files: a multipart body needs Upload.route")
  })
)

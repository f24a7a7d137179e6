import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { Identity } from "effect-framework/session"
import { ApiAuthentication, AuthRoutes } from "effect-framework/routes/auth"
import { ApiHandlers, Pipeline } from "effect-framework/routes/server"
import { TestApp } from "effect-framework/testing"

const Note = Schema.Struct({ text: Schema.String.pipe(Schema.maxLength(500)), author: Schema.String })

const group = HttpApiGroup.make("notes")
  .add(HttpApiEndpoint.get("me", "/me").addSuccess(Identity.Identity))
  .add(HttpApiEndpoint.post("create", "/notes").setPayload(Note.pick("text")).addSuccess(Note, { status: 201 }))
  .middleware(ApiAuthentication.ApiAuthentication)

const NotesApi = HttpApi.make("notes").add(group).prefix("/api")

const handlers = ApiHandlers.group(NotesApi, "notes", (notes) =>
  notes
    .handle("me", () => Identity.CurrentIdentity)
    .handle("create", ({ payload: { text } }) =>
      Effect.map(Identity.CurrentIdentity, ({ email }) => ({ text, author: email }))
    )
)

const app = Pipeline.app([...Pipeline.pages(AuthRoutes.routes), ...Pipeline.api(NotesApi)])

const api = ApiHandlers.layer(NotesApi).pipe(Layer.provide(handlers), Layer.provide(ApiAuthentication.layer))

layer(TestApp.layerOf(app, { services: api }))("a note", (it) => {
  it.effect("has the author who is signed in", () =>
    Effect.gen(function* () {
      const ann = yield* TestApp.signedInUser()
      const made = yield* ann.json("POST", "/api/notes", { text: "Tea at five" })
      expect([made.status, made.json]).toEqual([201, { text: "Tea at five", author: ann.user.email }])
    })
  )

  it.effect("needs a signed-in author", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const refused = yield* guest.request("/api/notes", { method: "POST", json: { text: "Tea at five" } })
      expect([refused.status, refused.json]).toEqual([401, expect.objectContaining({ _tag: "Unauthenticated" })])
    })
  )
})

import {
  FetchHttpClient,
  HttpApi,
  HttpApiClient,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpClient,
  HttpClientRequest
} from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import { ApiScopes, ApiTokens } from "effect-framework/auth"
import { Identity } from "effect-framework/session"
import { ServerAddress } from "effect-framework/server"
import { AuthRoutes, ScopeAuthentication } from "effect-framework/routes/auth"
import { ApiHandlers, Pipeline } from "effect-framework/routes/server"
import { TestApp } from "effect-framework/testing"

const scopes = ApiScopes.make({ "notes:read": "Read your notes", "notes:write": "Change your notes" })

const list = HttpApiEndpoint.get("list", "/notes")
  .addSuccess(Schema.Array(Schema.String))
  .middleware(ScopeAuthentication.requires(scopes, "notes:read"))

const create = HttpApiEndpoint.post("create", "/notes")
  .setPayload(Schema.Struct({ text: Schema.String }))
  .addSuccess(Schema.String, { status: 201 })
  .middleware(ScopeAuthentication.requires(scopes, "notes:write"))

const NotesApi = HttpApi.make("notes").add(HttpApiGroup.make("notes").add(list).add(create)).prefix("/api")

const guards = ScopeAuthentication.layer(scopes, { requestsPerToken: { limit: 600, window: "1 minute" } })

const handlers = ApiHandlers.group(NotesApi, "notes", (notes) =>
  notes
    .handle("list", () => Effect.map(Identity.CurrentIdentity, ({ email }) => [`A note of ${email}`]))
    .handle("create", ({ payload: { text } }) => Effect.succeed(text))
)

const app = Pipeline.app([...Pipeline.pages(AuthRoutes.routes), ...Pipeline.api(NotesApi)])

const api = ApiHandlers.layer(NotesApi).pipe(Layer.provide(handlers), Layer.provide(guards), Layer.merge(scopes.layer))

layer(TestApp.layerOf(app, { services: api }))("a token", (it) => {
  it.effect("may do what its scopes say", () =>
    Effect.gen(function* () {
      const { email, id } = yield* TestApp.enrolledUser()
      const tokens = yield* ApiTokens.ApiTokens
      const { secret } = yield* tokens.create(id, { name: "Backup", scopes: ["notes:read"], ttl: "30 days" })
      const backup = yield* TestApp.guest
      backup.headers.set("authorization", `Bearer ${Redacted.value(secret)}`)
      expect((yield* backup.request("/api/notes")).json).toEqual([`A note of ${email}`])
      const refused = yield* backup.request("/api/notes", { json: { text: "Tea at five" } })
      expect([refused.status, refused.json]).toEqual([
        403,
        { error: "The API token has no scope notes:write.", _tag: "InsufficientScope", scope: "notes:write" }
      ])
    })
  )
  it.effect("is sent by the client that Effect derives from the API, for a program and for a browser", () =>
    Effect.gen(function* () {
      const { email, id } = yield* TestApp.enrolledUser()
      const tokens = yield* ApiTokens.ApiTokens
      const { secret } = yield* tokens.create(id, { name: "Backup", scopes: ["notes:read"], ttl: "30 days" })
      const { url } = yield* ServerAddress.ServerAddress
      const backup = yield* HttpApiClient.make(NotesApi, {
        baseUrl: url,
        transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(secret))
      })
      expect(yield* backup.notes.list()).toEqual([`A note of ${email}`])
      const refused = yield* Effect.flip(backup.notes.create({ payload: { text: "Tea at five" } }))
      expect(refused).toMatchObject({ _tag: "InsufficientScope", scope: "notes:write" })
      // With a session, which has every scope; the test client sends the CSRF token as a page does.
      const browser = yield* TestApp.apiClient(NotesApi, yield* TestApp.signedInUser())
      expect(yield* browser.notes.create({ payload: { text: "Tea at five" } })).toBe("Tea at five")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})

// The guards of an `HttpApi`, over real sockets, with the client that Effect derives from it.
import { expect, it, layer } from "@effect/vitest"
import {
  FetchHttpClient,
  HttpApi,
  HttpApiBuilder,
  HttpApiClient,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpClient,
  HttpClientRequest,
  OpenApi
} from "@effect/platform"
import { Effect, Either, Layer, Schema } from "effect"
import * as ApiAuthentication from "../../../routes/auth/ApiAuthentication.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as BearerApp from "../../support/BearerApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as NotesApi from "../../support/NotesApi.ts"

const app = Pipeline.app([...Pipeline.pages(AuthRoutes.routes), ...Pipeline.api(NotesApi.NotesApi)])

const tokenOf = Effect.fnUntraced(function* (client: TestApp.SignedInClient) {
  const { json } = yield* client.json("GET", "/csrf")
  return String((json as { readonly token: unknown }).token)
})

describeDatabases("An API behind the guards", (database) => {
  const server = TestApp.layerOf(app, {
    environment: "production",
    database: database.layer,
    services: NotesApi.layer
  })

  layer(server)((it) => {
    it.effect("gives the account of the session to a handler", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.signedInUser()
        const response = yield* client.request("/api/me")
        expect([response.status, response.json]).toEqual([200, expect.objectContaining({ email: client.user.email })])
        expect(response.headers.get("cache-control")).toBe("no-store")
      })
    )

    it.effect("refuses a guest with 401, a challenge and a typed failure, whatever the method", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        for (const request of [{}, { method: "POST", json: { text: "tea" } }]) {
          const response = yield* guest.request(request.method === undefined ? "/api/me" : "/api/notes", request)
          expect(response.status).toBe(401)
          expect(response.json).toMatchObject({ _tag: "Unauthenticated" })
          expect(response.headers.get("www-authenticate")).toMatch(/^Session realm=/)
        }
      })
    )

    it.effect("does not run a handler, nor read a body, before it knows the account", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        const response = yield* guest.request("/api/notes", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: "{ broken"
        })
        expect(response.status).toBe(401)
      })
    )

    it.effect("accepts no change without the token of the session, or from another site", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.signedInUser()
        const post = (headers: Readonly<Record<string, string>>) =>
          client.request("/api/notes", { method: "POST", json: { text: "tea" }, headers })
        const token = yield* tokenOf(client)
        const stranger = yield* tokenOf(yield* TestApp.signedInUser())
        expect((yield* post({})).json).toMatchObject({
          error: "Invalid CSRF token",
          _tag: "CsrfMismatch",
          reason: "token"
        })
        expect((yield* post({ "x-csrf-token": stranger })).status).toBe(403)
        const foreign = yield* post({ "x-csrf-token": token, origin: "https://evil.example" })
        expect([foreign.status, foreign.json]).toEqual([403, expect.objectContaining({ reason: "origin" })])
        const made = yield* post({ "x-csrf-token": token })
        expect([made.status, made.json]).toEqual([201, { id: 1, text: "tea" }])
      })
    )

    it.effect("takes the token from the header alone, not from a field of the body", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.signedInUser()
        const response = yield* client.request("/api/notes", {
          method: "POST",
          json: { text: "tea", _token: yield* tokenOf(client) }
        })
        expect(response.status).toBe(403)
      })
    )

    it.effect("keeps the failure of a handler as it is: it is no refusal of the guard", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.signedInUser()
        const headers = { "x-csrf-token": yield* tokenOf(client) }
        const locked = yield* client.request("/api/notes", { method: "POST", json: { text: "locked" }, headers })
        expect([locked.status, locked.json]).toEqual([423, { error: "Locked", _tag: "Locked" }])
        const gone = yield* client.request("/api/notes/0")
        expect([gone.status, gone.json]).toEqual([410, { error: "Gone", _tag: "NoteGone", id: 0 }])
      })
    )

    it.effect("signs a remembered device in again", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser()
        const client = yield* TestApp.guest
        const { email, password } = user
        yield* client.submit("/login", { email, password, remember: "on" })
        client.jar.delete("session")
        const response = yield* client.request("/api/me")
        expect([response.status, response.json]).toEqual([200, expect.objectContaining({ email })])
        expect(client.jar.has("session")).toBe(true)
      })
    )

    it.effect("lets nobody in after a sign-out, with the next request", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.signedInUser()
        const session = client.jar.get("session") ?? ""
        expect((yield* client.request("/api/me")).status).toBe(200)
        yield* client.submit("/logout", {})
        client.jar.set("session", session)
        expect((yield* client.request("/api/me")).status).toBe(401)
      })
    )

    it.effect("leaves the endpoints without a guard open", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        expect((yield* guest.request("/api/ping")).json).toEqual({ pong: true })
      })
    )

    it.effect("has a derived client with typed failures", () =>
      Effect.gen(function* () {
        const { url } = yield* ServerAddress
        const person = yield* TestApp.signedInUser()
        const token = yield* tokenOf(person)
        const cookie = [...person.jar].map(([name, value]) => `${name}=${value}`).join("; ")
        const api = yield* HttpApiClient.make(NotesApi.NotesApi, {
          baseUrl: url,
          transformClient: HttpClient.mapRequest(
            HttpClientRequest.setHeaders({ cookie, "x-csrf-token": token, "x-forwarded-for": person.address })
          )
        })
        expect(yield* api.notes.me()).toMatchObject({ email: person.user.email })
        expect(yield* api.notes.create({ payload: { text: "tea" } })).toEqual({ id: 1, text: "tea" })
        expect(yield* Effect.either(api.notes.read({ path: { id: 0 } }))).toEqual(
          Either.left(new NotesApi.NoteGone({ id: 0 }))
        )
        const stranger = yield* HttpApiClient.make(NotesApi.NotesApi, { baseUrl: url })
        expect(yield* Effect.flip(stranger.notes.me())).toMatchObject({ _tag: "Unauthenticated" })
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )
  })
})

it("The OpenAPI document of a guarded group names the bearer, the cookie and the statuses of the guard", () => {
  const { components, paths } = OpenApi.fromApi(NotesApi.NotesApi)
  expect(components.securitySchemes).toMatchObject({
    session: { type: "apiKey", in: "cookie", name: "session" },
    bearer: { type: "http", scheme: "bearer" }
  })
  expect(paths["/api/notes"]?.post?.security).toEqual([{ bearer: [] }, { session: [] }])
  expect(Object.keys(paths["/api/notes"]?.post?.responses ?? {})).toEqual(
    expect.arrayContaining(["201", "400", "401", "403", "423"])
  )
  expect(paths["/api/ping"]?.get?.security).toEqual([])
  const alone = OpenApi.fromApi(BearerApp.GuardsApi)
  expect(alone.paths["/alone/bearer"]?.post?.security).toEqual([{ bearer: [] }])
  expect(alone.paths["/alone/session"]?.post?.security).toEqual([{ session: [] }])
  expect(alone.paths["/alone/remember"]?.post?.security).toEqual([{ session: [] }, { remember: [] }])
  // Without cookies nothing can be forged.
  const refused = (path: "/alone/bearer" | "/alone/session") => JSON.stringify(alone.paths[path]?.post?.responses[403])
  expect(refused("/alone/session")).toContain("CsrfMismatch")
  expect(refused("/alone/bearer")).toContain("FactorRequired")
  expect(refused("/alone/bearer")).not.toContain("CsrfMismatch")
})

const early = HttpApiGroup.make("early")
  .middleware(ApiAuthentication.ApiAuthentication)
  .add(HttpApiEndpoint.get("first", "/early").addSuccess(Schema.String))

const open = HttpApiGroup.make("open").add(HttpApiEndpoint.get("second", "/whole").addSuccess(Schema.String))

const Early = HttpApi.make("early").add(early)
const Whole = HttpApi.make("whole").add(open).middleware(ApiAuthentication.ApiAuthentication)

const handlers = Layer.mergeAll(
  Layer.provide(
    ApiHandlers.layer(Early),
    HttpApiBuilder.group(Early, "early", (all) => all.handle("first", () => Effect.succeed("early")))
  ),
  Layer.provide(
    ApiHandlers.layer(Whole),
    HttpApiBuilder.group(Whole, "open", (all) => all.handle("second", () => Effect.succeed("whole")))
  )
).pipe(Layer.provide(ApiAuthentication.layer))

const both = Pipeline.app([...Pipeline.pages(AuthRoutes.routes), ...Pipeline.api(Early), ...Pipeline.api(Whole)])

layer(TestApp.layerOf(both, { services: handlers }))("Two APIs in one program", (it) => {
  it.effect("are guarded as a whole, and for endpoints that were added after the guard", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const person = yield* TestApp.signedInUser()
      for (const path of ["/early", "/whole"]) {
        expect((yield* guest.request(path)).status, path).toBe(401)
        expect((yield* person.request(path)).json, path).toBe(path.slice(1))
      }
    })
  )
})

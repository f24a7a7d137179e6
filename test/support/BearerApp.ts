// An API with every guard on a real server, over a database that other connections reach too.
import { expect } from "@effect/vitest"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Context, Effect, Layer, Option, Redacted, Schema, type Scope } from "effect"
import * as SqlAuthentication from "../../layers/auth/SqlAuthentication.ts"
import * as ApiAuthentication from "../../routes/auth/ApiAuthentication.ts"
import * as ScopeAuthentication from "../../routes/auth/ScopeAuthentication.ts"
import * as AuthRoutes from "../../routes/auth/AuthRoutes.ts"
import * as ApiHandlers from "../../routes/server/ApiHandlers.ts"
import * as SessionCookie from "../../routes/session/internal/SessionCookie.ts"
import * as Pipeline from "../../routes/server/Pipeline.ts"
import * as ApiScopes from "../../src/auth/ApiScopes.ts"
import { ApiTokens } from "../../src/auth/ApiTokens.ts"
import * as AuthConfig from "../../src/auth/AuthConfig.ts"
import { CurrentIdentity, Identity } from "../../src/session/Identity.ts"
import type { Sessions } from "../../src/session/Session.ts"
import type { Users } from "../../src/auth/Users.ts"
import * as InsecurePassword from "../../testing/InsecurePassword.ts"
import * as TestApp from "../../testing/TestApp.ts"
import type * as TestClient from "../../testing/TestClient.ts"
import { TestDatabase, type TestEngine } from "./Databases.ts"
import * as NotesApi from "./NotesApi.ts"

const guarded = <const Name extends string>(name: Name) =>
  HttpApiGroup.make(name).add(HttpApiEndpoint.post("who", `/${name}`).addSuccess(Identity))

const Guards = HttpApi.make("guards")
  .add(guarded("session").middleware(ApiAuthentication.SessionAuthentication))
  .add(guarded("remember").middleware(ApiAuthentication.RememberAuthentication))
  .add(guarded("bearer").middleware(ApiAuthentication.BearerAuthentication))
  .prefix("/alone")

/** The scopes of the test. */
export const Scopes = ApiScopes.make({ "notes:read": "Read your notes", "notes:write": "Change your notes" })

const scoped = HttpApiGroup.make("scoped")
  .add(
    HttpApiEndpoint.get("read", "/read")
      .addSuccess(Schema.Struct({ ...Identity.fields, mayWrite: Schema.Boolean, session: Schema.Boolean }))
      .middleware(ScopeAuthentication.requires(Scopes, "notes:read"))
  )
  .add(
    HttpApiEndpoint.post("write", "/write")
      .setPayload(Schema.Struct({ text: Schema.String }))
      .addSuccess(Schema.String)
      .addError(NotesApi.Locked)
      .middleware(ScopeAuthentication.requires(Scopes, "notes:write"))
  )

/** Endpoints that API tokens may call. */
export const ScopedApi = HttpApi.make("scoped-api").add(scoped).prefix("/scoped")

const scopedHandlers = HttpApiBuilder.group(ScopedApi, "scoped", (all) =>
  all
    .handle("read", () =>
      Effect.gen(function* () {
        // A boundary: the request and its state are there, which Effect's types do not know.
        const session = SessionCookie.identity as Effect.Effect<Option.Option<Identity>>
        return {
          ...(yield* CurrentIdentity),
          mayWrite: yield* Scopes.allows("notes:write"),
          session: Option.isSome(yield* session)
        }
      })
    )
    .handle("write", ({ payload: { text } }) =>
      text === "locked" ? Effect.fail(new NotesApi.Locked()) : Effect.succeed(text)
    )
)

const scopedApi = ApiHandlers.layer(ScopedApi).pipe(
  Layer.provide(scopedHandlers),
  Layer.provide(ScopeAuthentication.layer(Scopes, { requestsPerToken: { limit: 20, window: "1 minute" } }))
)

/** One endpoint behind each guard, `POST /alone/bearer` and so on, beside those of the notes. */
export const GuardsApi = Guards

const handlers = Layer.mergeAll(
  HttpApiBuilder.group(Guards, "session", (all) => all.handle("who", () => CurrentIdentity)),
  HttpApiBuilder.group(Guards, "remember", (all) => all.handle("who", () => CurrentIdentity)),
  HttpApiBuilder.group(Guards, "bearer", (all) => all.handle("who", () => CurrentIdentity))
)

const guards = ApiHandlers.layer(Guards).pipe(Layer.provide(handlers), Layer.provide(ApiAuthentication.layer))

const app = Pipeline.app([
  ...Pipeline.pages(AuthRoutes.routes),
  ...Pipeline.api(NotesApi.NotesApi),
  ...Pipeline.api(Guards),
  ...Pipeline.api(ScopedApi)
])

type Stores = ApiTokens | Sessions | Users

/** Another worker of the same program: its own connection and stores. */
export class OtherWorker extends Context.Tag("test/OtherWorker")<
  OtherWorker,
  { readonly run: <A, E>(effect: Effect.Effect<A, E, Stores | Scope.Scope>) => Effect.Effect<A, E> }
>() {}

export const layer = (database: TestEngine, options: Pick<TestApp.Options, "environment" | "settings"> = {}) =>
  Layer.unwrapScoped(
    Effect.map(Layer.build(database.layer), (connection) => {
      const other = SqlAuthentication.layerWithoutSweeper({ trust: { hold: 0 } }).pipe(
        Layer.provide(InsecurePassword.layer),
        Layer.provide(AuthConfig.layerWith(options.settings ?? {})),
        Layer.provide(database.layerAt(Context.get(connection, TestDatabase).url))
      )
      const worker = Layer.scoped(
        OtherWorker,
        Effect.map(Layer.build(other), (stores) => ({
          run: (effect) => Effect.scoped(Effect.provide(effect, stores))
        }))
      )
      const server = TestApp.layerOf(app, {
        environment: "production",
        ...options,
        database: Layer.succeedContext(connection),
        services: Layer.mergeAll(NotesApi.layer, guards, scopedApi, Scopes.layer)
      })
      return Layer.merge(server, worker)
    })
  )

/** A client with a bearer session of a new account, or of this one. */
export const signedIn = Effect.fnUntraced(function* (given?: TestApp.TestUser) {
  const { user, ...client } = yield* TestApp.bearerUser(given)
  const [, secret = ""] = client.headers.get("authorization")?.split(" ") ?? []
  return { client, user, secret, identity: { id: user.id, email: user.email, verified: true } }
})

/** A client with an API token of a new account, or of this one. */
export const withToken = Effect.fnUntraced(function* (
  scopes: ReadonlyArray<(typeof Scopes.names)[number]>,
  given?: TestApp.TestUser
) {
  const user = given ?? (yield* TestApp.enrolledUser())
  const tokens = yield* ApiTokens
  const { handle, secret } = yield* tokens.create(user.id, { name: "backup", scopes })
  const client = yield* TestApp.guest
  client.headers.set("authorization", `Bearer ${Redacted.value(secret)}`)
  return { client, user, secret: Redacted.value(secret), handle }
})

/** A bearer that is not valid: a typed 401 that says so, and no cookie. */
export const expectRefused = (response: TestClient.TestResponse, why = ""): void => {
  expect(response.status, why).toBe(401)
  expect(response.json, why).toMatchObject({ _tag: "Unauthenticated" })
  expect(response.headers.get("www-authenticate"), why).toMatch(/^Bearer realm="[^"]+", error="invalid_token"$/)
  expect(response.headers.get("cache-control"), why).toBe("no-store")
  expect(response.cookies, why).toEqual([])
}

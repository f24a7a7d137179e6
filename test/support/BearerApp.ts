// An API with every guard on a real server, over a database that other connections reach too.
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Context, Effect, Layer, Option, Redacted, type Scope } from "effect"
import * as SqlAuthentication from "../../layers/auth/SqlAuthentication.ts"
import * as ApiAuthentication from "../../routes/auth/ApiAuthentication.ts"
import * as AuthRoutes from "../../routes/auth/AuthRoutes.ts"
import * as ApiHandlers from "../../routes/http/ApiHandlers.ts"
import * as Pipeline from "../../routes/http/Pipeline.ts"
import * as AuthSettings from "../../src/auth/AuthSettings.ts"
import { CurrentIdentity, Identity } from "../../src/auth/Identity.ts"
import { Sessions } from "../../src/auth/Session.ts"
import type { Users } from "../../src/auth/Users.ts"
import * as InsecurePassword from "../../testing/InsecurePassword.ts"
import * as TestApp from "../../testing/TestApp.ts"
import { TestDatabase, type TestEngine } from "./Databases.ts"
import * as NotesApi from "./NotesApi.ts"

const guarded = <const Name extends string>(name: Name) =>
  HttpApiGroup.make(name).add(HttpApiEndpoint.post("who", `/${name}`).addSuccess(Identity))

const Guards = HttpApi.make("guards")
  .add(guarded("session").middleware(ApiAuthentication.SessionAuthentication))
  .add(guarded("remember").middleware(ApiAuthentication.RememberAuthentication))
  .add(guarded("bearer").middleware(ApiAuthentication.BearerAuthentication))
  .prefix("/alone")

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
  ...Pipeline.api(Guards)
])

type Stores = Sessions | Users

/** Another worker of the same program: its own connection and stores. */
export class OtherWorker extends Context.Tag("test/OtherWorker")<
  OtherWorker,
  { readonly run: <A, E>(effect: Effect.Effect<A, E, Stores | Scope.Scope>) => Effect.Effect<A, E> }
>() {}

export const layer = (database: TestEngine, options: Pick<TestApp.Options, "environment" | "settings"> = {}) =>
  Layer.unwrapScoped(
    Effect.map(Layer.build(database.layer), (connection) => {
      const other = SqlAuthentication.layerStores({ trust: { hold: 0 } }).pipe(
        Layer.provide(InsecurePassword.layer),
        Layer.provide(AuthSettings.layerWith(options.settings ?? {})),
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
        services: Layer.merge(NotesApi.layer, guards)
      })
      return Layer.merge(server, worker)
    })
  )

/** A client with a bearer session of a new account, or of this one. */
export const signedIn = Effect.fnUntraced(function* (given?: TestApp.TestUser) {
  const user = given ?? (yield* TestApp.enrolledUser())
  const sessions = yield* Sessions
  const identity = { id: user.id, email: user.email, verified: true }
  const secret = Redacted.value(Option.getOrThrow(yield* sessions.open(identity)).secret)
  const client = yield* TestApp.guest
  client.headers.set("authorization", `Bearer ${secret}`)
  return { client, user, secret, identity }
})

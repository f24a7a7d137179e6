// People with a role need a second factor: one layer, for pages and for the API, by every way in.
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import * as SqlProfile from "../../../layers/auth/SqlProfile.ts"
import * as Access from "../../../routes/auth/Access.ts"
import * as AccountsApi from "../../../routes/auth/AccountsApi.ts"
import * as ApiAuthentication from "../../../routes/auth/ApiAuthentication.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as ScopeAuthentication from "../../../routes/auth/ScopeAuthentication.ts"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as Respond from "../../../routes/session/Respond.ts"
import * as ApiScopes from "../../../src/auth/ApiScopes.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import * as FactorPolicy from "../../../src/auth/FactorPolicy.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { Customer } from "../../support/ProfileApp.ts"

const scopes = ApiScopes.make({ "stock:read": "Read the stock" })

const stock = HttpApiGroup.make("shop")
  .add(HttpApiEndpoint.get("stock", "/stock").addSuccess(Schema.String).middleware(ApiAuthentication.ApiAuthentication))
  .add(
    HttpApiEndpoint.get("scoped", "/scoped")
      .addSuccess(Schema.String)
      .middleware(ScopeAuthentication.requires(scopes, "stock:read"))
  )

class Api extends HttpApi.make("shop").add(stock).add(AccountsApi.groupWith(Customer)).prefix("/api") {}

const twelve = Effect.succeed("12 cups")

const handlers = Layer.merge(
  ApiHandlers.group(Api, "shop", (shop) => shop.handle("stock", () => twelve).handle("scoped", () => twelve)),
  AccountsApi.layer(Api)
)

const page = Effect.map(CurrentIdentity, ({ email }) => Respond.text(email))

const app = Pipeline.app([
  ...Pipeline.pages([
    ...AuthRoutes.routes,
    HttpLayerRouter.route("GET", "/stock", Access.requireUser(page)),
    HttpLayerRouter.route("GET", "/vault", Access.requireConfirmation(page))
  ]),
  ...Pipeline.api(Api)
])

const migrations = {
  "0001_customers": Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`CREATE TABLE customers (user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      display_name TEXT NOT NULL, colour TEXT, role TEXT NOT NULL, is_vip BOOLEAN NOT NULL, points BIGINT NOT NULL)`
  )
}

const isAdmin = Effect.map(Customer.current, ({ role }) => role === "admin")

describeDatabases("A second factor for a role", (database) => {
  // Beside the guards of the API, as a program lists its services: those find it all the same.
  const services = Layer.merge(
    ApiHandlers.layer(Api).pipe(
      Layer.provide(handlers),
      Layer.provide([ApiAuthentication.layer, ScopeAuthentication.layer(scopes)])
    ),
    FactorPolicy.layer(isAdmin)
  ).pipe(Layer.provideMerge(SqlProfile.layer(Customer, { table: "customers" })))
  const server = TestApp.layerOf(app, { database: database.layerEmpty, migrations, services })

  const person = (role: "member" | "admin") =>
    TestApp.enrolledUser({ profile: { display_name: "Ann", role, is_vip: false, points: 0 } })

  layer(server)((it) => {
    it.effect("keeps its people out of pages until they have one, and leads them to where they add it", () =>
      Effect.gen(function* () {
        const user = yield* person("admin")
        const client = yield* TestApp.signedInUser(user)
        for (const path of ["/stock", "/vault"]) {
          expect(yield* client.get(path)).toMatchObject({ status: 303, location: "/account/factors" })
          const refused = yield* client.json("GET", path)
          expect([refused.status, refused.json]).toMatchObject([403, { error: "Forbidden" }])
        }
        const factors = yield* client.get("/account/factors")
        expect(factors.status).toBe(200)
        expect(factors.text).toContain("Your account needs a second factor")
        for (const path of ["/account", "/account/passkeys", "/account/factors/new"]) {
          expect([path, (yield* client.get(path)).status]).toEqual([path, 200])
        }
        yield* TestApp.authenticatorApp(user)
        expect((yield* client.get("/stock")).body).toBe(user.email)
        expect((yield* client.get("/vault")).body).toBe(user.email)
      })
    )

    it.effect("keeps them out of the API by cookie, bearer and token, but not out of their own account", () =>
      Effect.gen(function* () {
        const user = yield* person("admin")
        const wanted = { name: "cron", scopes: ["stock:read"] }
        const token = yield* Effect.flatMap(ApiTokens, ({ create }) => create(user.id, wanted))
        const byToken = yield* TestApp.guest
        byToken.headers.set("authorization", `Bearer ${Redacted.value(token.secret)}`)
        const browser = yield* TestApp.signedInUser(user)
        const bearer = yield* TestApp.bearerUser(user)
        for (const client of [browser, bearer]) {
          const api = yield* TestApp.apiClient(Api, client)
          expect(yield* Effect.flip(api.shop.stock())).toMatchObject({ _tag: "FactorRequired" })
          expect(yield* Effect.flip(api.shop.scoped())).toMatchObject({ _tag: "FactorRequired" })
          expect(yield* api.accounts.me()).toMatchObject({ email: user.email })
          expect(yield* api.accounts.factors()).toMatchObject({ apps: [] })
        }
        const refused = yield* byToken.json("GET", "/api/scoped")
        expect([refused.status, refused.json]).toMatchObject([403, { _tag: "FactorRequired" }])
        yield* TestApp.authenticatorApp(user)
        for (const client of [browser, bearer]) {
          expect(yield* (yield* TestApp.apiClient(Api, client)).shop.stock()).toBe("12 cups")
        }
        expect((yield* byToken.json("GET", "/api/scoped")).json).toBe("12 cups")
      })
    )

    it.effect("asks nobody else, and asks with the next request after the role was given", () =>
      Effect.gen(function* () {
        const user = yield* person("member")
        const client = yield* TestApp.signedInUser(user)
        const api = yield* TestApp.apiClient(Api, yield* TestApp.bearerUser(user))
        expect((yield* client.get("/stock")).status).toBe(200)
        expect(yield* api.shop.stock()).toBe("12 cups")
        yield* Customer.set(user.id, { display_name: "Ann", role: "admin", is_vip: false, points: 0 })
        expect((yield* client.get("/stock")).location).toBe("/account/factors")
        expect(yield* Effect.flip(api.shop.stock())).toMatchObject({ _tag: "FactorRequired" })
        // Without a profile there is no role.
        expect((yield* (yield* TestApp.signedInUser()).get("/stock")).status).toBe(200)
      })
    )

    it.effect("is not asked of guests: they are asked to sign in", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        expect((yield* guest.get("/stock")).location).toBe("/login")
        expect((yield* guest.json("GET", "/api/stock")).status).toBe(401)
      })
    )
  })
})

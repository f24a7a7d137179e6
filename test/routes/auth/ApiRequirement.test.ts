// Guards of endpoints by a role, a second factor and a confirmation: their failures are typed in the derived client.
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import * as SqlProfile from "../../../layers/auth/SqlProfile.ts"
import * as ApiAuthentication from "../../../routes/auth/ApiAuthentication.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as TestClock from "effect/TestClock"
import { Customer } from "../../support/ProfileApp.ts"
import { describeDatabases } from "../../support/Databases.ts"

const isAdmin = Effect.map(Customer.current, ({ role }) => role === "admin")

const Admins = ApiAuthentication.requires("admins", isAdmin)

const group = HttpApiGroup.make("shop")
  .add(
    HttpApiEndpoint.get("profile", "/profile").addSuccess(Schema.String).middleware(ApiAuthentication.ApiAuthentication)
  )
  .add(HttpApiEndpoint.get("stock", "/stock").addSuccess(Schema.String).middleware(Admins))
  .add(HttpApiEndpoint.post("refill", "/stock").addSuccess(Schema.String).middleware(Admins))
  .add(
    HttpApiEndpoint.get("vault", "/vault").addSuccess(Schema.String).middleware(ApiAuthentication.FactorAuthentication)
  )
  .add(
    HttpApiEndpoint.get("gold", "/gold").addSuccess(Schema.String).middleware(ApiAuthentication.ConfirmedAuthentication)
  )

class Api extends HttpApi.make("shop").add(group).prefix("/api") {}

const named = Effect.map(Effect.orDie(Customer.current), ({ display_name, role }) => `${display_name}, ${role}`)

const handlers = ApiHandlers.group(Api, "shop", (shop) =>
  shop
    .handle("profile", () => named)
    .handle("stock", () => named)
    .handle("refill", () => named)
    .handle("vault", () => Effect.succeed("vault"))
    .handle("gold", () => Effect.succeed("gold"))
)

const migrations = {
  "0001_customers": Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`CREATE TABLE customers (user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      display_name TEXT NOT NULL, colour TEXT, role TEXT NOT NULL, is_vip BOOLEAN NOT NULL, points BIGINT NOT NULL)`
  )
}

const app = Pipeline.app([...Pipeline.pages(AuthRoutes.routes), ...Pipeline.api(Api)])

describeDatabases("A guard of endpoints", (database) => {
  const services = ApiHandlers.layer(Api).pipe(
    Layer.provide(handlers),
    Layer.provide([Admins.layer, ApiAuthentication.layer]),
    Layer.provideMerge(SqlProfile.layer(Customer, { table: "customers" }))
  )
  const server = TestApp.layerOf(app, { database: database.layerEmpty, migrations, services })

  const person = (role: "member" | "admin") =>
    TestApp.enrolledUser({ profile: { display_name: "Ann", role, is_vip: false, points: 0 } })

  layer(server)((it) => {
    it.effect("by a role lets that role in, by cookie and as a bearer, and its client sees the refusal", () =>
      Effect.gen(function* () {
        for (const signedIn of [TestApp.signedInUser, TestApp.bearerUser]) {
          const admin = yield* TestApp.apiClient(Api, yield* signedIn(yield* person("admin")))
          expect(yield* admin.shop.stock()).toBe("Ann, admin")
          const member = yield* TestApp.apiClient(Api, yield* signedIn(yield* person("member")))
          expect(yield* member.shop.profile()).toBe("Ann, member")
          expect(yield* Effect.flip(member.shop.stock())).toMatchObject({ _tag: "Forbidden" })
        }
        const guest = yield* TestApp.apiClient(Api)
        expect(yield* Effect.flip(guest.shop.stock())).toMatchObject({ _tag: "Unauthenticated" })
        const bare = yield* TestApp.apiClient(Api, yield* TestApp.signedInUser())
        expect(yield* Effect.flip(bare.shop.stock())).toMatchObject({ _tag: "NoProfile" })
      })
    )

    it.effect("by a role checks the token of a browser, and takes a role away with the next request", () =>
      Effect.gen(function* () {
        const user = yield* person("admin")
        const client = yield* TestApp.signedInUser(user)
        const forged = yield* client.request("/api/stock", { method: "POST", headers: { accept: "*/*" } })
        expect([forged.status, forged.json]).toMatchObject([403, { _tag: "CsrfMismatch" }])
        expect((yield* client.json("POST", "/api/stock")).status).toBe(200)
        yield* Customer.set(user.id, { display_name: "Ann", role: "member", is_vip: false, points: 0 })
        const refused = yield* client.json("GET", "/api/stock")
        expect([refused.status, refused.json]).toEqual([403, { error: "Forbidden", _tag: "Forbidden" }])
      })
    )

    it.effect("by a factor and by a confirmation fails as it declares", () =>
      Effect.gen(function* () {
        yield* TestClock.adjust("1 hour")
        const user = yield* TestApp.enrolledUser()
        const api = yield* TestApp.apiClient(Api, yield* TestApp.signedInUser(user))
        expect(yield* Effect.flip(api.shop.vault())).toMatchObject({ _tag: "FactorRequired" })
        expect(yield* api.shop.gold()).toBe("gold")
        yield* TestApp.authenticatorApp(user)
        expect(yield* api.shop.vault()).toBe("vault")
        const { confirmationTtl } = yield* AuthConfig
        yield* TestClock.adjust(confirmationTtl)
        expect(yield* Effect.flip(api.shop.gold())).toMatchObject({ _tag: "ConfirmationRequired" })
      })
    )
  })
})

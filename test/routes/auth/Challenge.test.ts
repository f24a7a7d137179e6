// The challenge of a 401: the scheme `Session` and the realm.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { requireUser } from "../../../routes/auth/Access.ts"
import { Authentication, SessionGuard } from "../../../routes/auth/Authentication.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as TestClient from "../../../testing/TestClient.ts"
import { describeDatabases } from "../../support/Databases.ts"

const whoami = Effect.map(CurrentIdentity, ({ email }) => HttpServerResponse.text(email))
const refusal = Effect.succeed(HttpServerResponse.text("No", { status: 403 }))
const routes = [
  HttpLayerRouter.route("GET", "/plain", Authentication([SessionGuard], refusal)(whoami)),
  HttpLayerRouter.route("GET", "/tea", requireUser(whoami))
]

const guest = Effect.map(ServerAddress, ({ url }) => TestClient.make(url))
const json = { accept: "application/json" }

describeDatabases("A 401", (database) => {
  layer(TestApp.layer(routes, { database: database.layer, environment: "production" }))((it) => {
    it.effect("names the realm for a JSON client without a session", () =>
      Effect.gen(function* () {
        const client = yield* guest
        for (const path of ["/account", "/password", "/tea"]) {
          const { headers, status } = yield* client.request(path, { headers: json })
          expect([status, headers.get("www-authenticate")], path).toEqual([401, 'Session realm="Protected area"'])
        }
        for (const path of ["/logout", "/password", "/verify", "/account/others"]) {
          const { headers, status } = yield* client.json("POST", path)
          expect([status, headers.get("www-authenticate")], path).toEqual([401, 'Session realm="Protected area"'])
        }
      })
    )

    it.effect("names it when the credentials are wrong, and not when they are right", () =>
      Effect.gen(function* () {
        const { email, password } = yield* TestApp.enrolledUser()
        const client = yield* guest
        const wrong = yield* client.json("POST", "/login", { email, password: "not this one" })
        expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([401, 'Session realm="Protected area"'])
        const form = yield* client.submit("/login", { email, password: "not this one" })
        expect([form.status, form.headers.get("www-authenticate")]).toEqual([401, 'Session realm="Protected area"'])
        const right = yield* client.json("POST", "/login", { email, password })
        expect([right.status, right.headers.get("www-authenticate")]).toEqual([200, null])
      })
    )

    it.effect("names it where a fallback that is no redirect becomes a 401", () =>
      Effect.gen(function* () {
        const client = yield* guest
        for (const headers of [{ accept: "text/html" }, json]) {
          const response = yield* client.request("/plain", { headers })
          expect([response.status, response.headers.get("www-authenticate")]).toEqual([
            401,
            'Session realm="Protected area"'
          ])
        }
      })
    )
  })

  layer(TestApp.layer(routes, { database: database.layer, settings: { realm: "Tea room" } }))((it) => {
    it.effect("names the realm of the settings, everywhere", () =>
      Effect.gen(function* () {
        const client = yield* guest
        const responses = [
          yield* client.request("/tea", { headers: json }),
          yield* client.request("/plain"),
          yield* client.json("POST", "/login", { email: "nobody@example.com", password: "x" })
        ]
        for (const { headers, status } of responses) {
          expect([status, headers.get("www-authenticate")]).toEqual([401, 'Session realm="Tea room"'])
        }
      })
    )
  })
})

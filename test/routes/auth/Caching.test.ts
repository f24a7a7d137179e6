// A response that depends on the user is never cached.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Home from "../../../demo/Home.ts"
import { requireUser } from "../../../routes/auth/Access.ts"
import { Authentication, SessionGuard } from "../../../routes/auth/Authentication.ts"
import * as CsrfCheck from "../../../routes/session/CsrfCheck.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { make as makeClient, type TestResponse } from "../../../testing/TestClient.ts"
import { describeDatabases } from "../../support/Databases.ts"

const whoami = Effect.map(CurrentIdentity, ({ email }) => HttpServerResponse.text(email))
const elsewhere = Effect.succeed(HttpServerResponse.redirect("/elsewhere"))
const cached = { headers: { "cache-control": "private, max-age=60" } }
const routes = [
  ...Home.routes,
  HttpLayerRouter.route("GET", "/tea", requireUser(whoami)),
  HttpLayerRouter.route("GET", "/old", Authentication([SessionGuard], elsewhere)(whoami)),
  HttpLayerRouter.route("GET", "/picture", requireUser(Effect.succeed(HttpServerResponse.text("x", cached)))),
  HttpLayerRouter.route("GET", "/form", Effect.map(CsrfCheck.token, HttpServerResponse.text)),
  HttpLayerRouter.route("GET", "/same", Effect.succeed(HttpServerResponse.text("for everyone")))
]

const kept = ({ headers, location, status }: TestResponse) => [status, location, headers.get("cache-control")]

describeDatabases("No cache", (database) => {
  layer(TestApp.layer(routes, { database: database.layer }))((it) => {
    it.effect("keeps a redirect of a guest", () =>
      Effect.gen(function* () {
        const client = makeClient((yield* ServerAddress).url)
        for (const path of ["/account", "/password", "/tea"]) {
          const response = yield* client.get(path)
          expect(kept(response), path).toEqual([303, "/login", "no-store"])
          expect(response.headers.get("vary"), path).toBe("Accept, Cookie")
        }
        expect(kept(yield* client.get("/old"))).toEqual([302, "/elsewhere", "no-store"])
        const link = `${"0".repeat(16)}/${"0".repeat(64)}`
        expect(kept(yield* client.get(`/verify/${link}`))).toEqual([303, "/login", "no-store"])
        expect(kept(yield* client.get(`/reset/${link}`))).toEqual([303, "/forgot", "no-store"])
        expect(kept(yield* client.submit("/logout", {}))).toEqual([303, "/login", "no-store"])
        expect(kept(yield* client.submit("/forgot", { email: "a@example.com" }))).toEqual([303, "/forgot", "no-store"])
      })
    )

    it.effect("keeps a redirect or a page of a signed-in user", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.signedInUser()
        for (const path of ["/", "/login", "/register"]) {
          expect(kept(yield* client.get(path)), path).toEqual([303, "/account", "no-store"])
        }
        expect(kept(yield* client.get("/account"))).toEqual([200, undefined, "no-store"])
        expect(kept(yield* client.get("/tea"))).toEqual([200, undefined, "no-store"])
        expect(kept(yield* client.submit("/verify", {}))).toEqual([303, "/account", "no-store"])
        expect(kept(yield* client.submit("/logout", {}))).toEqual([303, "/login", "no-store"])
      })
    )

    it.effect(
      "keeps a response that sets a cookie; an explicit cache-control and public responses stay unchanged",
      () =>
        Effect.gen(function* () {
          const client = makeClient((yield* ServerAddress).url)
          const form = yield* client.get("/form")
          expect(form.cookies).toHaveLength(1)
          expect(kept(form)).toEqual([200, undefined, "no-store"])
          expect(kept(yield* client.get("/same"))).toEqual([200, undefined, null])
          const member = yield* TestApp.signedInUser()
          expect(kept(yield* member.get("/picture"))).toEqual([200, undefined, "private, max-age=60"])
        })
    )
  })
})

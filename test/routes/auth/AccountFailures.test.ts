// The failures of the API of accounts that come from the program: its hooks, its hashing, its languages.
import { HttpServerRespondable, HttpServerResponse } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Data, Effect, Fiber, Layer, Redacted, Schema, TestClock } from "effect"
import * as SqlAccountHooks from "../../../layers/auth/SqlAccountHooks.ts"
import * as FormState from "../../../routes/session/FormState.ts"
import { Forbidden } from "../../../src/auth/AuthError.ts"
import type { Identity } from "../../../src/session/Identity.ts"
import * as German from "../../../src/texts/German.ts"
import * as Languages from "../../../src/http/Languages.ts"
import { CapturedExceptions } from "../../../testing/CapturedExceptions.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { Api, app, services, someone, tokenTo } from "../../support/AccountsApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as PasswordQueue from "../../support/PasswordQueue.ts"

class Locked extends Data.TaggedError("Locked") {
  [HttpServerRespondable.symbol]() {
    return HttpServerResponse.text("This account is locked.", { status: 423 })
  }
}

const Nothing = Schema.Struct({})

// By the start of the address.
const refuse = ({ email }: Identity) =>
  Effect.gen(function* () {
    if (email.startsWith("forbidden")) return yield* new Forbidden({ reason: "Not you." })
    if (email.startsWith("suspended")) return yield* FormState.invalid(Nothing, { status: 403, error: "Suspended." })
    if (email.startsWith("invalid"))
      return yield* FormState.invalid(Nothing, { fieldErrors: { email: "Not this one." } })
    if (email.startsWith("conflict")) return yield* FormState.invalid(Nothing, { status: 409, error: "Taken." })
    if (email.startsWith("locked")) return yield* new Locked()
    if (email.startsWith("broken")) return yield* Effect.dieMessage("a secret of the program")
  })

const hooks = SqlAccountHooks.layer({ signUp: { inTransaction: refuse }, signIn: { inTransaction: refuse } })

const outcomes = [
  ["forbidden", 403, { error: "Not you.", _tag: "Forbidden", reason: "Not you." }],
  ["suspended", 403, { error: "Suspended.", _tag: "Forbidden", reason: "Suspended." }],
  ["invalid", 422, { _tag: "InvalidInput", error: expect.any(String), fields: { email: "Not this one." } }],
  ["conflict", 409, { error: "Taken.", _tag: "InvalidForm" }],
  ["locked", 423, { error: "This account is locked.", _tag: "Locked" }],
  ["broken", 500, { error: "Internal Server Error" }]
] as const

describeDatabases("The failures of accounts", (database) => {
  const languages = Languages.layer({ en: Layer.empty, de: German.layer })
  const server = TestApp.layerOf(app, {
    environment: "production",
    database: database.layer,
    hashing: PasswordQueue.layer,
    services: Layer.mergeAll(services, hooks, languages)
  })

  layer(server)((it) => {
    for (const [name, status, body] of outcomes) {
      it.effect(`are those of a hook: ${name} is ${status}`, () =>
        Effect.gen(function* () {
          const email = `${name}@example.com`
          const password = "quiet harbour"
          for (const path of ["/sign-up", "/bearer/sign-up", "/sign-in", "/bearer/sign-in"]) {
            if (path === "/sign-in") yield* TestApp.enrolledUser({ email, password })
            const client = yield* TestApp.guest
            const response = yield* client.json("POST", `/api${path}`, { email, password })
            expect([path, response.status, response.json]).toEqual([path, status, body])
            expect((yield* client.json("GET", "/api/me")).status).toBe(401)
          }
          const { reported } = yield* CapturedExceptions
          // What a hook refuses is no exception, and a broken one is.
          const exceptions = (yield* reported).filter((one) => one.message.includes("a secret of the program"))
          expect([name, exceptions.length, (yield* reported).length]).toEqual([
            name,
            name === "broken" ? 4 : 0,
            exceptions.length
          ])
        })
      )
    }

    it.effect("are 503 with the seconds to wait where too many passwords are hashed", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser()
        const { email, password } = user
        const bearer = yield* TestApp.bearerUser(user)
        const guest = yield* TestApp.guest
        const change = { current: password, password: "another quiet harbour" }
        const busy = yield* PasswordQueue.full(
          Effect.all([
            guest.json("POST", "/api/sign-up", { email: someone().email, password }),
            guest.json("POST", "/api/bearer/sign-up", { email: someone().email, password }),
            guest.json("POST", "/api/sign-in", { email, password }),
            guest.json("POST", "/api/bearer/sign-in", { email, password }),
            bearer.request("/api/password", { method: "PUT", json: change }),
            bearer.request("/api/tokens", { json: { name: "backup", scopes: ["notes:read"], current: password } })
          ])
        )
        for (const response of busy) {
          expect([response.status, response.json]).toEqual([
            503,
            { error: "Service Unavailable", _tag: "Overloaded", retryAfter: 7 }
          ])
          expect(response.headers.get("retry-after")).toBe("7")
        }
      })
    )

    it.effect("of a reset come only when its turn has not come for long: the link is used up", () =>
      Effect.gen(function* () {
        const { email } = yield* TestApp.enrolledUser()
        const api = yield* TestApp.apiClient(Api)
        yield* api.accounts.forgotPassword({ payload: { email } })
        const payload = { token: yield* tokenTo(email), password: Redacted.make("another quiet harbour") }
        const response = yield* PasswordQueue.full(
          Effect.gen(function* () {
            const waiting = yield* Effect.fork(Effect.flip(api.accounts.resetPassword({ payload })))
            while ((yield* Fiber.poll(waiting))._tag === "None") {
              yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
              yield* TestClock.adjust("1 second")
            }
            return yield* Fiber.join(waiting)
          })
        )
        expect(response).toMatchObject({ _tag: "Overloaded", retryAfter: 7 })
      })
    )

    it.effect("speak the language of the request", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        guest.headers.set("accept-language", "de")
        const invalid = yield* guest.json("POST", "/api/bearer/sign-in", {})
        const page = yield* guest.json("POST", "/login", {})
        expect(invalid.json).toEqual({ _tag: "InvalidInput", ...(page.json as object) })
        expect(invalid.body).not.toContain("Enter your")
        const forgot = yield* guest.json("POST", "/api/password/forgot", { email: "nobody@example.com" })
        expect(forgot.json).toEqual((yield* guest.json("POST", "/forgot", { email: "nobody@example.com" })).json)
      })
    )
  })
})

// The second step of a sign-in over the API: with cookies and with a bearer.
import { HttpApi } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, TestClock } from "effect"
import * as SqlAccountHooks from "../../../layers/auth/SqlAccountHooks.ts"
import * as AccountsApi from "../../../routes/auth/AccountsApi.ts"
import * as ApiAuthentication from "../../../routes/auth/ApiAuthentication.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import { Forbidden } from "../../../src/auth/AuthError.ts"
import { PendingSignIns } from "../../../src/auth/internal/PendingSignIns.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Sessions } from "../../../src/session/Session.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"

const Api = HttpApi.make("factor-api").add(AccountsApi.group).prefix("/api")

const app = Pipeline.app([...Pipeline.pages(AuthRoutes.routes), ...Pipeline.api(Api)])

const handlers = ApiHandlers.layer(Api).pipe(
  Layer.provide(AccountsApi.layer(Api)),
  Layer.provide(ApiAuthentication.layer)
)

const calls: Array<string> = []

const hooks = SqlAccountHooks.layer({
  signIn: {
    inTransaction: ({ email }) => {
      calls.push(email)
      return email.startsWith("banned") ? new Forbidden({ reason: "Banned." }) : Effect.void
    }
  }
})

const person = Effect.fnUntraced(function* (given?: { readonly email: string }) {
  const user = yield* TestApp.enrolledUser(given)
  return { user, ...(yield* FactorApp.enrol(user)) }
})

/** A client without cookies whose password was right. */
const begun = Effect.fnUntraced(function* ({ email, password }: TestApp.TestUser) {
  const client = yield* TestApp.guest
  const first = yield* client.request("/api/bearer/sign-in", { json: { email, password } })
  const { pending } = first.json as { readonly pending: string }
  const complete = (code: string, secret = pending) =>
    client.request("/api/bearer/sign-in/factor", { json: { pending: secret, code } })
  return { client, first, pending, complete }
})

describeDatabases("The second step of a sign-in over the API", (database) => {
  const services = Layer.merge(handlers, hooks)
  layer(TestApp.layerOf(app, { database: database.layer, environment: "production", services }))((it) => {
    it.effect("gives a bearer for the code, and nothing for the password alone", () =>
      Effect.gen(function* () {
        const { secret, user } = yield* person()
        const { client, complete, first, pending } = yield* begun(user)
        expect([first.status, first.json, first.cookies]).toEqual([
          202,
          { factors: ["totp", "recovery"], pending: expect.stringMatching(/^[0-9a-f]{16}\.[0-9a-f]{64}$/) },
          []
        ])
        for (const bearer of [pending, pending.split(".")[1] ?? ""]) {
          client.headers.set("authorization", `Bearer ${bearer}`)
          expect((yield* client.request("/api/me")).status).toBe(401)
        }
        client.headers.delete("authorization")
        const sessions = yield* Sessions
        expect(yield* sessions.list(user.id)).toEqual([])
        expect(calls).not.toContain(user.email)
        const wrong = yield* complete(yield* FactorApp.wrongCode(secret))
        expect([wrong.status, wrong.json]).toEqual([401, expect.objectContaining({ _tag: "InvalidCredentials" })])
        expect((yield* complete("")).status).toBe(422)
        const done = yield* complete(yield* FactorApp.codeOf(secret))
        expect([done.status, done.cookies]).toEqual([200, []])
        expect(calls).toContain(user.email)
        const { bearer } = done.json as { readonly bearer: { readonly token: string } }
        client.headers.set("authorization", `Bearer ${bearer.token}`)
        expect((yield* client.request("/api/me")).json).toMatchObject({ email: user.email })
        const events = yield* SecurityEvents
        const { items } = yield* events.list(user.id)
        expect(items.map(({ _tag }) => _tag)).toEqual(["SignedIn", "FactorFailed"])
        expect(items[0]).toMatchObject({ by: "password", factor: "totp" })
      })
    )

    it.effect("accepts one code of many requests at the same moment", () =>
      Effect.gen(function* () {
        const { secret, user } = yield* person()
        const clients = yield* Effect.replicateEffect(begun(user), 3)
        const code = yield* FactorApp.codeOf(secret)
        const tries = clients.flatMap(({ complete }) => [complete(code), complete(code)])
        const responses = yield* Effect.all(tries, { concurrency: "unbounded" })
        expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
        const sessions = yield* Sessions
        expect(yield* sessions.list(user.id)).toHaveLength(1)
      })
    )

    it.effect("responds alike to every bad secret, and to a good one of another account's code", () =>
      Effect.gen(function* () {
        const one = yield* person()
        const other = yield* person()
        const { complete, pending } = yield* begun(one.user)
        const foreign = yield* complete(yield* FactorApp.codeOf(other.secret))
        expect(foreign.status).toBe(401)
        const used = yield* begun(other.user)
        expect((yield* used.complete(yield* FactorApp.codeOf(other.secret))).status).toBe(200)
        const flipped = pending.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"))
        const code = yield* FactorApp.codeOf(one.secret)
        const responses = yield* Effect.forEach(["", "x", flipped, used.pending, "\0", "' OR 1=1 --"], (secret) =>
          complete(code, secret)
        )
        for (const { json, status } of responses) {
          expect([status, json]).toEqual([
            410,
            { _tag: "PendingEnded", error: expect.stringContaining("Sign in again") }
          ])
        }
        expect((yield* complete(code)).status).toBe(200)
      })
    )

    it.effect("ends with a password that was replaced meanwhile, and with its time", () =>
      Effect.gen(function* () {
        const { secret, user } = yield* person()
        const sessions = yield* Sessions
        const revoked = yield* begun(user)
        yield* sessions.revoke(user.id)
        expect((yield* revoked.complete(yield* FactorApp.codeOf(secret))).status).toBe(410)
        const late = yield* begun(user)
        yield* TestClock.adjust("10 minutes")
        expect((yield* late.complete(yield* FactorApp.codeOf(secret))).status).toBe(410)
        expect(yield* sessions.list(user.id)).toEqual([])
      })
    )

    it.effect("is refused by a hook after the factor, without a session", () =>
      Effect.gen(function* () {
        const { secret, user } = yield* person({ email: `banned-${database.name}@example.com` })
        const { complete } = yield* begun(user)
        const refused = yield* complete(yield* FactorApp.codeOf(secret))
        expect([refused.status, refused.json]).toEqual([403, expect.objectContaining({ _tag: "Forbidden" })])
        const sessions = yield* Sessions
        expect(yield* sessions.list(user.id)).toEqual([])
      })
    )

    it.effect("signs a browser in by its cookies, with the form token", () =>
      Effect.gen(function* () {
        const { recoveryCodes, user } = yield* person()
        const browser = yield* TestApp.guest
        const { email, password } = user
        const first = yield* browser.json("POST", "/api/sign-in", { email, password })
        expect([first.status, first.json]).toEqual([202, { factors: ["totp", "recovery"] }])
        expect((yield* browser.json("GET", "/api/me")).status).toBe(401)
        const forged = yield* browser.request("/api/sign-in/factor", { json: { code: recoveryCodes[0] ?? "" } })
        expect(forged.status).toBe(403)
        const done = yield* browser.json("POST", "/api/sign-in/factor", { code: recoveryCodes[0] ?? "" })
        expect([done.status, done.json]).toEqual([200, expect.objectContaining({ email })])
        expect((yield* browser.json("GET", "/api/me")).status).toBe(200)
        const again = yield* browser.json("POST", "/api/sign-in/factor", { code: recoveryCodes[1] ?? "" })
        expect(again.status).toBe(410)
      })
    )

    it.effect("counts tries in the row, whatever the client sends", () =>
      Effect.gen(function* () {
        const { secret, user } = yield* person()
        const { complete, pending } = yield* begun(user)
        const wrong = yield* FactorApp.wrongCode(secret)
        const responses = yield* Effect.all(
          Array.from({ length: 8 }, () => complete(wrong)),
          { concurrency: "unbounded" }
        )
        const statuses = responses.map(({ status }) => status).sort()
        expect(statuses).toEqual([401, 401, 401, 401, 410, 410, 410, 410])
        const store = yield* PendingSignIns
        expect(yield* store.find(Redacted.make(pending))).toEqual(Option.none())
      })
    )
  })
})

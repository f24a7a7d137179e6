// The recovery of an account without factors through the API, over real sockets, with the client that Effect derives from it.
import { expect, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Option, Redacted, TestClock } from "effect"
import * as LostFactors from "../../../routes/auth/LostFactors.ts"
import { DueLostFactorRequests } from "../../../src/auth/internal/AccountWorkers.ts"
import { LostFactorRequests } from "../../../src/auth/internal/LostFactorRequests.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { Password } from "../../../src/auth/Password.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { Sessions } from "../../../src/session/Session.ts"
import * as Mailer from "../../../src/mail/Mailer.ts"
import { CapturedMail } from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient } from "../../../testing/TestClient.ts"
import { Api, app, layer as server, services } from "../../support/AccountsApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"

// Shorter than the default: the workers run every ten minutes of the test clock.
const delay = Duration.hours(1)

const page = "/login/factor/recovery"

const account = Effect.gen(function* () {
  const user = yield* TestApp.enrolledUser()
  return { user, ...(yield* FactorApp.enrol(user)) }
})

type User = Pick<TestApp.TestUser, "email" | "password">

/** A browser that has sent the password. */
const browser = Effect.fnUntraced(function* ({ email, password }: User) {
  const client = yield* TestApp.guest
  expect((yield* client.json("POST", "/api/sign-in", { email, password })).status).toBe(202)
  const { accounts } = yield* TestApp.apiClient(Api, client)
  return { client, state: accounts.factorRecovery(), request: accounts.requestFactorRecovery() }
})

/** A client without cookies that has sent the password. */
const bearer = Effect.fnUntraced(function* ({ email, password }: User) {
  const client = yield* TestApp.guest
  const { accounts } = yield* TestApp.apiClient(Api, client)
  const begun = yield* accounts.signInBearer({ payload: { email, password: Redacted.make(password) } })
  if (!("pending" in begun)) return yield* Effect.dieMessage("no second step")
  const payload = { pending: begun.pending }
  return {
    client,
    state: accounts.factorRecoveryBearer({ payload }),
    request: accounts.requestFactorRecoveryBearer({ payload })
  }
})

const tokensTo = (email: string) =>
  Effect.map(
    Effect.flatMap(CapturedMail, (mail) => mail.messagesTo(email)),
    (messages) =>
      messages.flatMap(({ text }) => {
        const found = /\/login\/factor\/recovery\/(?:cancel\/)?([0-9a-f]{16}\/\S+)/.exec(text)?.[1]
        return found === undefined ? [] : [Redacted.make(found)]
      })
  )

const nothing = Redacted.make("")

/** A recovery whose delay is over, with the tokens of both messages. */
const ready = Effect.gen(function* () {
  const given = yield* account
  yield* (yield* bearer(given.user)).request
  yield* TestClock.adjust(delay)
  yield* Effect.flatMap(DueLostFactorRequests, ({ sweep }) => sweep)
  const [cancel = nothing, complete = nothing] = yield* tokensTo(given.user.email)
  return { ...given, cancel, complete }
})

const kindsOf = ({ id }: TestApp.TestUser) =>
  Effect.flatMap(Factors, ({ required }) => Effect.map(required(id), ({ kinds }) => kinds.length))

const guestApi = Effect.map(TestApp.apiClient(Api), ({ accounts }) => accounts)

const refusalOf = (request: Effect.Effect<unknown, { readonly _tag: string }>) => Effect.flip(request)

describeDatabases("The recovery of lost factors through the API", (database) => {
  layer(server(database, { settings: { factorRecoveryDelay: delay } }))((it) => {
    it.effect("is asked for by a browser and by a client without cookies, waits, and is completed once", () =>
      Effect.gen(function* () {
        for (const begin of [browser, bearer]) {
          const { user } = yield* account
          const member = yield* TestApp.bearerUser(user)
          const { request, state } = yield* begin(user)
          expect(yield* state).toEqual({ state: "none", available: true })
          const asked = yield* request
          expect(asked).toEqual({
            message: expect.stringContaining("We have sent you an e-mail."),
            state: "waiting",
            ready: expect.any(Number)
          })
          // An account has one open recovery, and one message of it.
          expect(yield* request).toEqual(asked)
          expect(yield* state).toEqual({ state: "waiting", ready: asked.ready, available: true })
          expect(yield* tokensTo(user.email)).toHaveLength(1)
          yield* TestClock.adjust(delay)
          yield* Effect.flatMap(DueLostFactorRequests, ({ sweep }) => sweep)
          const token = (yield* tokensTo(user.email))[1] ?? nothing
          const accounts = yield* guestApi
          const wrong = yield* Effect.flip(
            accounts.completeFactorRecovery({ payload: { token, password: Redacted.make("not this one") } })
          )
          expect(wrong).toMatchObject({ _tag: "InvalidInput", fields: { password: "Current password is incorrect." } })
          expect(yield* kindsOf(user)).toBeGreaterThan(0)
          const payload = { token, password: Redacted.make(user.password) }
          const done = yield* accounts.completeFactorRecovery({ payload })
          expect(done.message).toContain("Your second factors were removed.")
          expect((yield* Effect.flip(accounts.completeFactorRecovery({ payload })))._tag).toBe("InvalidLink")
          expect(yield* kindsOf(user)).toBe(0)
          expect((yield* member.request("/api/me")).status).toBe(401)
          const signedIn = yield* accounts.signInBearer({
            payload: { email: user.email, password: Redacted.make(user.password) }
          })
          expect(signedIn).toHaveProperty("bearer")
        }
      })
    )

    it.effect("is cancelled by the link of either message, which ends the sign-ins that wait", () =>
      Effect.gen(function* () {
        for (const which of ["cancel", "complete"] as const) {
          const { [which]: token, complete, user } = yield* ready
          const thief = yield* bearer(user)
          const inBrowser = yield* browser(user)
          const accounts = yield* guestApi
          const cancelled = yield* accounts.cancelFactorRecovery({ payload: { token } })
          expect(cancelled.message).toContain("was cancelled")
          expect((yield* Effect.flip(accounts.cancelFactorRecovery({ payload: { token } })))._tag).toBe("InvalidLink")
          const payload = { token: complete, password: Redacted.make(user.password) }
          expect((yield* Effect.flip(accounts.completeFactorRecovery({ payload })))._tag).toBe("InvalidLink")
          for (const { request, state } of [thief, inBrowser]) {
            expect((yield* Effect.flip(state))._tag).toBe("PendingEnded")
            expect((yield* refusalOf(request))._tag).toBe("PendingEnded")
          }
          expect(yield* kindsOf(user)).toBeGreaterThan(0)
        }
      })
    )

    it.effect("completes with no link but that of the second message", () =>
      Effect.gen(function* () {
        const { cancel, user } = yield* ready
        const accounts = yield* guestApi
        const password = Redacted.make(user.password)
        for (const token of [cancel, nothing, Redacted.make(`${"0".repeat(16)}/${"0".repeat(64)}`)]) {
          const refused = yield* Effect.flip(accounts.completeFactorRecovery({ payload: { token, password } }))
          expect(refused._tag).toBe("InvalidLink")
        }
        expect(yield* kindsOf(user)).toBeGreaterThan(0)
      })
    )

    it.effect("removes passkeys where they are lost too", () =>
      Effect.gen(function* () {
        const passkeys = yield* Passkeys
        for (const [lost, left] of [
          [false, 1],
          [true, 0]
        ] as const) {
          const { user } = yield* PasskeyUser.make
          yield* FactorApp.enrol(user)
          yield* (yield* bearer(user)).request
          yield* TestClock.adjust(delay)
          yield* Effect.flatMap(DueLostFactorRequests, ({ sweep }) => sweep)
          const token = (yield* tokensTo(user.email))[1] ?? nothing
          const password = Redacted.make(user.password)
          yield* (yield* guestApi).completeFactorRecovery({ payload: { token, password, passkeys: lost } })
          expect(yield* passkeys.list(user.id)).toHaveLength(left)
        }
      })
    )

    it.effect("is refused to an address that is not verified, and to whoever has sent no password", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser({ verified: false })
        yield* FactorApp.enrol(user)
        for (const begin of [browser, bearer]) {
          const { request, state } = yield* begin(user)
          expect(yield* state).toEqual({ state: "none", available: false })
          expect(yield* refusalOf(request)).toMatchObject({
            _tag: "Forbidden",
            reason: expect.stringContaining("is not verified")
          })
        }
        expect(yield* tokensTo(user.email)).toEqual([])
        // One answer for everybody without a pending sign-in: a guest, a member, a secret that never was.
        const answers = []
        for (const client of [yield* TestApp.guest, yield* TestApp.signedInUser(), yield* TestApp.bearerUser()]) {
          for (const pending of [undefined, "", "x", `${"0".repeat(16)}.${"0".repeat(64)}`]) {
            const json = pending === undefined ? {} : { pending }
            for (const path of ["/recovery", "/recovery/state"]) {
              const { body, status } = yield* client.json("POST", `/api/bearer/sign-in/factor${path}`, json)
              answers.push(`${status} ${body}`)
            }
          }
          const { body, status } = yield* client.json("GET", "/api/sign-in/factor/recovery")
          answers.push(`${status} ${body}`)
        }
        expect(new Set(answers).size).toBe(1)
        expect(answers[0]).toContain("410")
      })
    )

    it.effect("shares the limits of the pages", () =>
      Effect.gen(function* () {
        const { user } = yield* account
        const first = yield* browser(user)
        for (let attempt = 0; attempt < 2; attempt++) yield* first.client.json("POST", page)
        const second = yield* bearer(user)
        yield* second.request
        expect(yield* Effect.flip(second.request)).toMatchObject({
          _tag: "TooManyRequests",
          scope: "factor_recovery.account"
        })
        const guesser = yield* TestApp.guest
        const { complete } = yield* ready
        const [selector, verifier] = Redacted.value(complete).split("/")
        const guess = { password: "not this one" }
        for (let attempt = 0; attempt < 5; attempt++) {
          const path = `${page}/${selector}/${verifier}`
          const json = { token: Redacted.value(complete), ...guess }
          const sent =
            attempt % 2 === 0
              ? yield* guesser.json("POST", path, guess)
              : yield* guesser.json("POST", "/api/factor-recovery/complete", json)
          expect(sent.status).toBe(422)
        }
        const json = { token: Redacted.value(complete), ...guess }
        expect((yield* guesser.json("POST", "/api/factor-recovery/complete", json)).status).toBe(429)
        const opener = yield* TestApp.guest
        const cancel = (client: TestClient) =>
          Effect.map(client.json("POST", "/api/factor-recovery/cancel", {}), ({ status }) => status)
        expect(yield* Effect.replicateEffect(cancel(opener), 11)).toEqual([...Array(10).fill(410), 429])
      })
    )

    it.effect("lets no other site ask, cancel or complete in the browser of a visitor", () =>
      Effect.gen(function* () {
        const { user } = yield* account
        const { client } = yield* browser(user)
        const forged = yield* client.request("/api/sign-in/factor/recovery", { method: "POST" })
        expect([forged.status, forged.json]).toEqual([
          403,
          { error: "Invalid CSRF token", _tag: "CsrfMismatch", reason: "token" }
        ])
        expect(yield* tokensTo(user.email)).toEqual([])
        const { complete, ...given } = yield* ready
        const member = yield* browser(given.user)
        const payload = { token: Redacted.value(complete), password: given.user.password }
        const path = "/api/factor-recovery/complete"
        expect((yield* member.client.request(path, { json: payload })).status).toBe(403)
        for (const at of [path, "/api/factor-recovery/cancel", "/api/bearer/sign-in/factor/recovery"]) {
          expect([at, (yield* client.request(at, { form: payload })).status]).toEqual([at, at === path ? 403 : 415])
        }
        expect(yield* kindsOf(given.user)).toBeGreaterThan(0)
        expect((yield* member.client.json("POST", path, payload)).status).toBe(200)
      })
    )
  })
})

/** What happens while the next password is checked. */
let meanwhile: Effect.Effect<void> = Effect.void

const interrupted = Layer.succeed(Password, {
  hash: (password) => Effect.succeed(Redacted.value(password)),
  verify: (hash, password) =>
    Effect.suspend(() => {
      const happening = meanwhile
      meanwhile = Effect.void
      return Effect.as(happening, hash === Redacted.value(password))
    }),
  isStale: () => false
})

describeDatabases("A recovery that is completed while the password changes", (database) => {
  layer(server(database, { hashing: interrupted, settings: { factorRecoveryDelay: delay } }))((it) => {
    it.effect("removes no factor for the old password, with and without cookies", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        for (const withCookies of [true, false]) {
          const { complete, user } = yield* ready
          const client = yield* TestApp.guest
          const json = { token: Redacted.value(complete), password: user.password }
          meanwhile = sessions.revoke(user.id)
          const path = "/api/factor-recovery/complete"
          const response = yield* withCookies ? client.json("POST", path, json) : client.request(path, { json })
          expect([response.status, yield* kindsOf(user)]).toEqual([410, 2])
        }
      })
    )
  })
})

// Of a message that nobody can get.
const refusing = Layer.succeed(
  Mailer.Mailer,
  Mailer.fromSend(() => Effect.fail(new Mailer.MailDeliveryError({ reason: "the mail server refused (550)" })))
)

describeDatabases("A recovery whose message cannot be sent", (database) => {
  const all = Layer.provideMerge(Layer.merge(services, LostFactors.layer), refusing)
  layer(TestApp.layerOf(app, { database: database.layer, services: all }))((it) => {
    it.effect("does not begin, through the page and through the API", () =>
      Effect.gen(function* () {
        const { user } = yield* account
        const { find } = yield* LostFactorRequests
        const recovery = Effect.map(find(user.id), Option.isNone)
        const inBrowser = yield* browser(user)
        const onPage = yield* inBrowser.client.json("POST", page)
        expect([onPage.status, onPage.headers.get("retry-after"), yield* recovery]).toEqual([503, "60", true])
        for (const { request } of [inBrowser, yield* bearer(user)]) {
          expect(yield* refusalOf(request)).toMatchObject({ _tag: "Undelivered", error: expect.any(String) })
          expect(yield* recovery).toBe(true)
        }
      })
    )
  })
})

layer(TestApp.layerOf(app, { services }))("A program without LostFactors.layer", (it) => {
  it.effect("has no endpoints of a recovery", () =>
    Effect.gen(function* () {
      const { user } = yield* account
      const { client } = yield* browser(user)
      const paths = [
        ["GET", "/sign-in/factor/recovery"],
        ["POST", "/sign-in/factor/recovery"],
        ["POST", "/bearer/sign-in/factor/recovery"],
        ["POST", "/bearer/sign-in/factor/recovery/state"],
        ["POST", "/factor-recovery/cancel"],
        ["POST", "/factor-recovery/complete"]
      ] as const
      for (const [method, path] of paths) {
        expect([path, (yield* client.json(method, `/api${path}`, {})).status]).toEqual([path, 404])
      }
    })
  )
})

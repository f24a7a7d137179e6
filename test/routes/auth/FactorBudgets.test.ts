// How many codes of a second factor may be tried, from where, and what the owner hears of it.
import { expect, layer } from "@effect/vitest"
import { Effect, Redacted, TestClock } from "effect"
import { Factors } from "../../../src/auth/Factors.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { BackgroundWork } from "../../../testing/BackgroundWork.ts"
import { CapturedMail } from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient } from "../../../testing/TestClient.ts"
import { Users } from "../../../src/auth/Users.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { lastLink } from "../../support/MailedLinks.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"

const exhausted = "Somebody knows your password"

/** A person with an app and a passkey, who has signed in on this browser before. */
const person = Effect.gen(function* () {
  const { browser, device, user } = yield* PasskeyUser.make
  const { recoveryCodes, secret } = yield* FactorApp.enrol(user)
  yield* browser.submit("/logout", {})
  return { browser, device, user, recoveryCodes, secret }
})

const enter = (client: TestClient, { email, password }: TestApp.TestUser) =>
  Effect.zipRight(TestClock.adjust("2 minutes"), client.submit("/login", { email, password }))

/** Guesses of somebody who knows the password, from devices of their own. */
const guess = Effect.fnUntraced(function* (user: TestApp.TestUser, code: string, times: number) {
  const stranger = yield* TestApp.guest
  yield* enter(stranger, user)
  return yield* Effect.replicateEffect(
    Effect.map(stranger.submit("/login/factor", { code }), ({ status }) => status),
    times
  )
})

const told = (email: string) =>
  Effect.gen(function* () {
    yield* Effect.flatMap(BackgroundWork, ({ idle }) => idle)
    const messages = yield* Effect.flatMap(CapturedMail, ({ messagesTo }) => messagesTo(email))
    return messages.filter(({ subject }) => subject === exhausted).length
  })

describeDatabases("The budgets of a second step", (database) => {
  layer(TestApp.layer([], { environment: "production", database: database.layer }))((it) => {
    it.effect("are 20 an hour for strangers together, of which the owner hears, on a known device and elsewhere", () =>
      Effect.gen(function* () {
        const { browser, device, recoveryCodes, secret, user } = yield* person
        // A code of no time near: the guesses take minutes.
        const wrong = "00000"
        expect(yield* guess(user, `${wrong}0`, 4)).toEqual([401, 401, 401, 401])
        expect(yield* told(user.email)).toBe(0)
        for (let round = 0; round < 3; round++) {
          expect(yield* guess(user, `${wrong}${round}`, 5)).toEqual([401, 401, 401, 401, 303])
        }
        expect(yield* told(user.email)).toBeGreaterThan(0)
        expect(yield* guess(user, `${wrong}0`, 2)).toEqual([401, 429])
        const events = yield* SecurityEvents
        const { items } = yield* Effect.orDie(events.list(user.id, { events: ["SecondStepExhausted"] }))
        expect(items.map(({ outcome }) => outcome)).toEqual(["failure", "failure", "failure", "failure"])
        // The owner, on the device that the account knows.
        yield* enter(browser, user)
        const own = yield* browser.submit("/login/factor", { code: yield* FactorApp.codeOf(secret) })
        expect([own.status, own.location]).toEqual([303, "/account"])
        // With a recovery code, on another one.
        const other = yield* TestApp.guest
        yield* enter(other, user)
        expect((yield* other.submit("/login/factor", { code: yield* FactorApp.codeOf(secret) })).status).toBe(429)
        const recovered = yield* other.submit("/login/factor", { code: recoveryCodes[0] ?? "" })
        expect([recovered.status, recovered.location]).toEqual([303, "/account"])
        // With a passkey.
        expect((yield* PasskeyUser.signIn(yield* TestApp.guest, device)).location).toBe("/account")
      })
    )

    it.effect("are 20 an hour for each known device, which strangers and other devices do not use up", () =>
      Effect.gen(function* () {
        const { browser, secret, user } = yield* person
        for (let round = 0; round < 4; round++) {
          yield* enter(browser, user)
          yield* Effect.replicateEffect(browser.submit("/login/factor", { code: "000000" }), 5)
        }
        yield* enter(browser, user)
        expect((yield* browser.submit("/login/factor", { code: yield* FactorApp.codeOf(secret) })).status).toBe(429)
        const other = yield* TestApp.guest
        yield* enter(other, user)
        const code = yield* FactorApp.codeOf(secret)
        expect((yield* other.submit("/login/factor", { code })).location).toBe("/account")
        const { isLocked } = yield* Effect.flatMap(Factors, ({ required }) => required(user.id))
        expect(isLocked).toBe(false)
      })
    )

    it.effect("are 40 an hour for whoever reads the mailbox, however often they reset the password", () =>
      Effect.gen(function* () {
        const { user } = yield* person
        const { email } = user
        let tried = 0
        for (let round = 0; round < 3; round++) {
          const thief = yield* TestApp.guest
          const password = `the harbour of a thief ${round}`
          yield* thief.submit("/forgot", { email })
          yield* thief.submit(yield* lastLink(email, "/reset"), { password, password_confirmation: password })
          for (let entered = 0; entered < 5; entered++) {
            yield* enter(thief, { ...user, password })
            const code = Effect.map(thief.submit("/login/factor", { code: "000000" }), ({ status }) => status)
            tried += (yield* Effect.replicateEffect(code, 5)).filter((status) => status !== 429).length
          }
        }
        expect(tried).toBe(40)
      })
    )

    it.effect("end after 100 wrong codes from unknown devices, until the password is another one", () =>
      Effect.gen(function* () {
        const { browser, device, secret, user } = yield* person
        const inside = yield* TestApp.guest
        yield* PasskeyUser.signIn(inside, device)
        const factors = yield* Factors
        // As many of them at once as come.
        yield* Effect.forEach(Array.from({ length: 98 }), () => factors.countWrongCode(user.id), { concurrency: 10 })
        expect(yield* guess(user, "000000", 1)).toEqual([401])
        expect((yield* factors.required(user.id)).isLocked).toBe(false)
        expect(yield* guess(user, "000000", 1)).toEqual([401])
        expect((yield* factors.required(user.id)).isLocked).toBe(true)
        const stranger = yield* TestApp.guest
        const refused = yield* enter(stranger, user)
        expect([refused.status, refused.body.includes("Invalid credentials.")]).toEqual([401, true])
        // What the account knows works on.
        expect((yield* inside.get("/account")).status).toBe(200)
        expect((yield* PasskeyUser.signIn(yield* TestApp.guest, device)).location).toBe("/account")
        yield* enter(browser, user)
        const code = yield* FactorApp.codeOf(secret)
        expect((yield* browser.submit("/login/factor", { code })).location).toBe("/account")
        yield* Effect.flatMap(Users, ({ rotate }) => rotate(user.id, Redacted.make("another harbour")))
        expect((yield* factors.required(user.id)).isLocked).toBe(false)
        const next = yield* TestApp.guest
        const entered = yield* enter(next, { ...user, password: "another harbour" })
        expect(entered.location).toBe("/login/factor")
      })
    )
  })
})

// Recent confirmation over real sockets: the page, the guard of a program's own routes, and what counts as one.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Duration, Effect, TestClock } from "effect"
import * as Access from "../../../routes/auth/Access.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"

const vault = Effect.map(CurrentIdentity, ({ email }) => HttpServerResponse.text(`The vault of ${email}`))

const routes = [
  HttpLayerRouter.route("GET", "/vault", Access.requireConfirmation(vault)),
  HttpLayerRouter.route("POST", "/vault", Access.requireConfirmation(vault))
]

const refusal = { error: "Confirm that it is you to continue.", confirm: "/confirm" }

describeDatabases("Recent confirmation", (database) => {
  layer(TestApp.layer(routes, { environment: "production", database: database.layer }))((it) => {
    it.effect("is a sign-in or a sign-up with the password, for ten minutes", () =>
      Effect.gen(function* () {
        const signedUp = yield* TestApp.guest
        const email = "vault@example.com"
        yield* signedUp.submit("/register", { email, password: "quiet harbour" })
        expect((yield* signedUp.get("/vault")).text).toBe(`The vault of ${email}`)
        const signedIn = yield* TestApp.signedInUser()
        yield* TestClock.adjust("599 seconds")
        expect((yield* signedIn.get("/vault")).status).toBe(200)
        yield* TestClock.adjust("1 second")
        expect((yield* signedIn.get("/vault")).location).toBe("/confirm")
        expect((yield* signedUp.get("/vault")).location).toBe("/confirm")
        expect((yield* signedIn.get("/account")).status).toBe(200)
      })
    )

    it.effect("is asked for by a page, which returns to where it came from", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        yield* TestClock.adjust("10 minutes")
        expect((yield* browser.get("/vault?door=2")).location).toBe("/confirm")
        const page = yield* browser.get("/confirm")
        expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"])
        expect(page.text).toContain("Confirm that it is you")
        const wrong = yield* browser.submit("/confirm", { current: "not this one" })
        expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining("Current password is incorrect.")])
        expect(wrong.body).not.toContain("not this one")
        expect((yield* browser.get("/vault?door=2")).location).toBe("/confirm")
        expect((yield* browser.submit("/confirm", { current: "" })).text).toContain("Enter your password.")
        const before = browser.jar.get("session")
        const right = yield* browser.submit("/confirm", { current: browser.user.password })
        expect([right.status, right.location]).toEqual([303, "/vault?door=2"])
        expect(browser.jar.get("session")).not.toBe(before)
        expect((yield* browser.get("/vault")).status).toBe(200)
        // Once: the next one goes to the account.
        expect((yield* browser.submit("/confirm", { current: browser.user.password })).location).toBe("/account")
      })
    )

    it.effect("refuses a form that was sent too late, and returns to the account", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        yield* TestClock.adjust("10 minutes")
        yield* browser.get("/vault?old")
        expect((yield* browser.submit("/vault", {})).location).toBe("/confirm")
        expect((yield* browser.submit("/confirm", { current: browser.user.password })).location).toBe("/account")
        expect((yield* browser.submit("/vault", {})).status).toBe(200)
      })
    )

    it.effect("returns to this site alone", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        yield* TestClock.adjust("10 minutes")
        yield* browser.get("/vault")
        const form = { current: browser.user.password, next: "https://evil.example", confirm_return: "//evil.example" }
        expect((yield* browser.submit("/confirm?next=//evil.example", form)).location).toBe("/vault")
      })
    )

    it.effect("is 403 with the path of the confirmation for a JSON client", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.signedInUser()
        yield* TestClock.adjust("10 minutes")
        const refused = yield* client.json("POST", "/vault", {})
        expect([refused.status, refused.json]).toEqual([403, refusal])
        const wrong = yield* client.submit("/confirm", { current: "not this one" })
        expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining("Current password is incorrect.")])
        expect((yield* client.submit("/confirm", { current: client.user.password })).status).toBe(303)
        expect((yield* client.json("POST", "/vault", {})).status).toBe(200)
      })
    )

    it.effect("is for signed-in users: a guest signs in", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        expect((yield* guest.get("/confirm")).location).toBe("/login")
        expect((yield* guest.get("/vault")).location).toBe("/login")
        expect((yield* guest.json("POST", "/confirm", { current: "quiet harbour" })).status).toBe(401)
        expect((yield* guest.json("GET", "/vault")).status).toBe(401)
      })
    )

    it.effect("is not what a trusted device brings that signs in by itself", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser()
        const device = yield* TestApp.guest
        yield* device.submit("/login", { email: user.email, password: user.password, remember: "1" })
        expect((yield* device.get("/vault")).status).toBe(200)
        device.jar.delete("session")
        expect((yield* device.get("/account")).status).toBe(200)
        expect((yield* device.get("/vault")).location).toBe("/confirm")
        expect((yield* device.submit("/confirm", { current: user.password })).location).toBe("/vault")
        expect((yield* device.get("/vault")).status).toBe(200)
      })
    )

    it.effect("is the session's own: another one of the account has to confirm for itself", () =>
      Effect.gen(function* () {
        const first = yield* TestApp.signedInUser()
        const second = yield* TestApp.signedInUser(first.user)
        yield* TestClock.adjust("10 minutes")
        yield* first.submit("/confirm", { current: first.user.password })
        expect((yield* first.get("/vault")).status).toBe(200)
        expect((yield* second.get("/vault")).location).toBe("/confirm")
      })
    )

    it.effect("does not outlive a sign-out, nor reach the next account of the browser", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        yield* browser.submit("/logout", {})
        expect((yield* browser.get("/vault")).location).toBe("/login")
        const cookie = browser.jar.get("session") ?? ""
        expect(Buffer.from(cookie, "base64url").toString()).not.toContain("confirmed")
        expect(cookie).not.toContain("confirmed")
      })
    )

    it.effect("is stored in the row of the session, as nothing but a time", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ data: string }>`SELECT data FROM sessions WHERE user_id = ${browser.user.id}`
        expect(JSON.parse(rows[0]?.data ?? "")).toMatchObject({ confirmed: expect.stringMatching(/^\d+$/) })
      })
    )

    it.effect("is renewed by a change of the password", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        yield* TestClock.adjust("10 minutes")
        const password = "a second harbour"
        yield* browser.submit("/password", {
          current: browser.user.password,
          password,
          password_confirmation: password
        })
        expect((yield* browser.get("/vault")).status).toBe(200)
      })
    )

    it.effect("is given by no stolen session: guesses are limited by client and by account", () =>
      Effect.gen(function* () {
        const thief = yield* TestApp.signedInUser()
        yield* TestClock.adjust("10 minutes")
        const guess = Effect.map(thief.submit("/confirm", { current: "not this one" }), ({ status }) => status)
        expect(yield* Effect.replicateEffect(guess, 6)).toEqual([422, 422, 422, 422, 422, 429])
        // However patient, and from whatever address: the account counts too.
        for (let round = 0; round < 3; round++) {
          yield* TestClock.adjust("1 minute")
          expect(yield* Effect.replicateEffect(guess, 5)).toEqual([422, 422, 422, 422, 422])
        }
        yield* TestClock.adjust("1 minute")
        expect((yield* thief.submit("/confirm", { current: thief.user.password })).status).toBe(429)
        yield* TestClock.adjust("10 minutes")
        expect((yield* thief.submit("/confirm", { current: thief.user.password })).status).toBe(303)
      })
    )

    it.effect("is an event of the account, and so is a wrong password", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        yield* browser.submit("/confirm", { current: "not this one" })
        yield* browser.submit("/confirm", { current: browser.user.password })
        const events = yield* SecurityEvents
        const { items } = yield* events.list(browser.user.id, { events: ["Confirmed"] })
        expect(items.map(({ outcome }) => outcome)).toEqual(["success", "failure"])
      })
    )

    it.effect("needs the form token", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const forged = yield* browser.request("/confirm", { form: { current: browser.user.password } })
        expect(forged.status).toBe(403)
      })
    )

    it.effect("is no time in the future", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE sessions SET data = '{"confirmed":"99999999999"}' WHERE user_id = ${browser.user.id}`
        expect((yield* browser.get("/vault")).location).toBe("/confirm")
      })
    )
  })
})

/** Someone with an authenticator app whose session is not confirmed any more. */
const withApp = Effect.gen(function* () {
  const browser = yield* TestApp.signedInUser()
  const app = yield* FactorApp.enrol(browser.user)
  yield* TestClock.adjust("10 minutes")
  return { browser, ...app }
})

const wrongCode = "This code is wrong or was used already."

describeDatabases("A confirmation by a code", (database) => {
  layer(TestApp.layer(routes, { environment: "production", database: database.layer }))((it) => {
    it.effect("is a code of the app, on a page that offers it without scripts", () =>
      Effect.gen(function* () {
        const { browser, secret } = yield* withApp
        expect((yield* browser.get("/vault")).location).toBe("/confirm")
        const page = yield* browser.get("/confirm")
        expect(page.text).toContain("your password or a code again")
        expect(page.body.match(/<form method="post" action="\/confirm">/g)).toHaveLength(2)
        const code = yield* FactorApp.codeOf(secret)
        const before = browser.jar.get("session")
        const right = yield* browser.submit("/confirm", { code })
        expect([right.status, right.location]).toEqual([303, "/vault"])
        expect(browser.jar.get("session")).not.toBe(before)
        expect((yield* browser.get("/vault")).status).toBe(200)
        yield* TestClock.adjust("10 minutes")
        expect((yield* browser.get("/vault")).location).toBe("/confirm")
        const { items } = yield* Effect.flatMap(SecurityEvents, ({ list }) =>
          list(browser.user.id, { events: ["Confirmed"] })
        )
        expect(items).toMatchObject([{ by: "totp", outcome: "success" }])
      })
    )

    it.effect("is a recovery code, once", () =>
      Effect.gen(function* () {
        const { browser, recoveryCodes } = yield* withApp
        const [code = ""] = recoveryCodes
        expect((yield* browser.submit("/confirm", { code })).status).toBe(303)
        const again = yield* browser.submit("/confirm", { code })
        expect([again.status, again.text]).toEqual([422, expect.stringContaining(wrongCode)])
        const { items } = yield* Effect.flatMap(SecurityEvents, ({ list }) =>
          list(browser.user.id, { events: ["Confirmed", "RecoveryCodeUsed"] })
        )
        expect(items).toMatchObject([
          { _tag: "Confirmed", by: "recovery_code", outcome: "failure" },
          { _tag: "Confirmed", by: "recovery_code", outcome: "success" },
          { _tag: "RecoveryCodeUsed", left: 9 }
        ])
      })
    )

    it.effect("is no code that signed someone in, nor the other way round", () =>
      Effect.gen(function* () {
        const { browser, secret } = yield* withApp
        const { email, password } = browser.user
        const other = yield* TestApp.guest
        yield* other.json("POST", "/login", { email, password })
        const code = yield* FactorApp.codeOf(secret)
        expect((yield* other.submit("/login/factor", { code })).status).toBe(303)
        const replayed = yield* browser.submit("/confirm", { code })
        expect([replayed.status, replayed.text]).toEqual([422, expect.stringContaining(wrongCode)])
        expect(replayed.body).not.toContain(code)
        expect((yield* browser.get("/vault")).location).toBe("/confirm")
        yield* FactorApp.nextCode
        const next = yield* FactorApp.codeOf(secret)
        expect((yield* browser.submit("/confirm", { code: next })).status).toBe(303)
        const third = yield* TestApp.guest
        yield* third.json("POST", "/login", { email, password })
        expect((yield* third.submit("/login/factor", { code: next })).status).toBe(401)
      })
    )

    it.effect("is accepted once by sessions that send it at the same moment", () =>
      Effect.gen(function* () {
        const { browser, secret } = yield* withApp
        const { email, password } = browser.user
        const other = yield* TestApp.guest
        yield* other.json("POST", "/login", { email, password })
        yield* other.submit("/login/factor", { code: yield* FactorApp.codeOf(secret) })
        yield* TestClock.adjust("10 minutes")
        const code = yield* FactorApp.codeOf(secret)
        const sent = yield* Effect.forEach([browser, other], (one) => one.submit("/confirm", { code }), {
          concurrency: "unbounded"
        })
        expect(sent.map(({ status }) => status).sort()).toEqual([303, 422])
      })
    )

    it.effect("is no code of another account, and none for an account without an app", () =>
      Effect.gen(function* () {
        const other = yield* withApp
        const { browser } = yield* withApp
        const plain = yield* TestApp.signedInUser()
        yield* TestClock.adjust("10 minutes")
        const codes = [yield* FactorApp.codeOf(other.secret), other.recoveryCodes[0] ?? "", "", "000000 or so"]
        for (const code of codes) {
          expect((yield* browser.submit("/confirm", { code })).status).toBe(422)
          expect((yield* plain.submit("/confirm", { code })).status).toBe(422)
        }
        expect((yield* browser.get("/vault")).location).toBe("/confirm")
        expect((yield* plain.get("/vault")).location).toBe("/confirm")
        expect((yield* plain.get("/confirm")).body).not.toContain('name="code"')
        // Neither is used up by it.
        const [recovery = ""] = other.recoveryCodes
        expect((yield* other.browser.submit("/confirm", { code: recovery })).status).toBe(303)
      })
    )

    it.effect("does not make a wrong password right", () =>
      Effect.gen(function* () {
        const { browser, recoveryCodes, secret } = yield* withApp
        const current = "not this one"
        const code = yield* FactorApp.codeOf(secret)
        const both = yield* browser.submit("/confirm", { current, code })
        expect([both.status, both.text]).toEqual([422, expect.stringContaining("Current password is incorrect.")])
        const token = /name="_token" value="([^"]+)"/.exec((yield* browser.get("/confirm")).body)?.[1] ?? ""
        const twice = yield* browser.request("/confirm", {
          body: `code=${recoveryCodes[0]}&code=${code}&_token=${encodeURIComponent(token)}`,
          headers: { "content-type": "application/x-www-form-urlencoded" }
        })
        expect(twice.status).toBe(422)
        expect((yield* browser.get("/vault")).location).toBe("/confirm")
      })
    )

    it.effect("has the limits of the second step of a sign-in, which a stolen session does not widen", () =>
      Effect.gen(function* () {
        const { browser, secret } = yield* withApp
        // A thief has the cookie of the session, and not that of the device.
        browser.jar.delete("known_device")
        const code = yield* FactorApp.wrongCode(secret)
        for (let round = 0; round < 4; round++) {
          const guesses = yield* Effect.replicateEffect(browser.submit("/confirm", { code }), 5)
          expect(guesses.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
          yield* TestClock.adjust("150 seconds")
        }
        const right = yield* FactorApp.codeOf(secret)
        expect((yield* browser.submit("/confirm", { code: right })).status).toBe(429)
        const { email, password } = browser.user
        const guest = yield* TestApp.guest
        yield* guest.json("POST", "/login", { email, password })
        expect((yield* guest.submit("/login/factor", { code: right })).status).toBe(429)
        // The password is another matter.
        yield* TestClock.adjust("10 minutes")
        expect((yield* browser.submit("/confirm", { current: password })).status).toBe(303)
      })
    )
  })
})

const short = { confirmationTtl: Duration.seconds(5) }

layer(TestApp.layer(routes, { settings: short }))("The time of a confirmation", (it) => {
  it.effect("is a setting", () =>
    Effect.gen(function* () {
      const browser = yield* TestApp.signedInUser()
      expect((yield* browser.get("/vault")).status).toBe(200)
      yield* TestClock.adjust("5 seconds")
      expect((yield* browser.get("/vault")).location).toBe("/confirm")
    })
  )
})

import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { Factors } from "../../../src/auth/Factors.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import { lastLink } from "../../support/MailedLinks.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"
import * as Visitor from "../../support/Visitor.ts"

const invalid = "This reset link is invalid or has expired."
const fresh = "a brand new password"

/** Someone with an account, and the reset link that was mailed to them. */
const forgetful = Effect.gen(function* () {
  const app = yield* AuthApp.AuthApp
  const { person, visitor } = yield* AuthApp.register()
  const link = yield* AuthApp.recoveryLink(person.email)
  return { app, person, visitor, link, stranger: Visitor.make(app.url) }
})

describeDatabases("Reset", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("shows the form any number of times without consuming the link", () =>
      Effect.gen(function* () {
        const { link, stranger } = yield* forgetful
        for (let count = 0; count < 8; count++) {
          const page = yield* stranger.get(link)
          expect(page.status).toBe(200)
          expect(page.body).toContain("Choose a new password")
          expect(page.headers.get("cache-control")).toBe("no-store")
          expect(page.headers.get("referrer-policy")).toBe("same-origin")
        }
      })
    )

    it.effect("sets the password, confirms the address and redirects to the sign-in page", () =>
      Effect.gen(function* () {
        const { link, person, stranger } = yield* forgetful
        yield* stranger.get(link)
        const response = yield* stranger.submit(link, { password: fresh, password_confirmation: fresh })
        expect(response).toMatchObject({ status: 303, location: "/login" })
        expect(yield* stranger.read("/login")).toContain("Password reset! Sign in with your new password.")
        expect((yield* AuthApp.signIn(person)).response.status).toBe(401)
        const { visitor } = yield* AuthApp.signIn({ ...person, password: fresh })
        expect((yield* visitor.json("GET", "/account")).json).toMatchObject({ verified: true })
      })
    )

    it.effect("signs out every session and every trusted device, and does not sign in", () =>
      Effect.gen(function* () {
        const { link, person, stranger, visitor } = yield* forgetful
        const { visitor: trusted } = yield* AuthApp.signIn(person, { remember: "1" })
        yield* stranger.get(link)
        yield* stranger.submit(link, { password: fresh })
        expect((yield* visitor.get("/account")).location).toBe("/login")
        expect((yield* trusted.get("/account")).location).toBe("/login")
        expect((yield* stranger.get("/account")).location).toBe("/login")
      })
    )

    it.effect("removes the passkeys and apps of an address that was never verified, and of no other", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const sql = yield* SqlClient.SqlClient
        const [factors, passkeys] = [yield* Factors, yield* Passkeys]
        const left = []
        for (const isVerified of [true, false]) {
          const { device, user } = yield* PasskeyUser.make
          yield* FactorApp.enrol(user)
          if (!isVerified) yield* sql`UPDATE users SET email_verified_at = NULL WHERE id = ${user.id}`
          const stranger = Visitor.make(app.url)
          const link = yield* AuthApp.recoveryLink(user.email)
          yield* stranger.get(link)
          expect((yield* stranger.submit(link, { password: fresh })).location).toBe("/login")
          left.push({
            passkeys: (yield* passkeys.list(user.id)).length,
            apps: (yield* factors.list(user.id)).length,
            recoveryCodes: yield* factors.countRecoveryCodes(user.id),
            signIn: (yield* PasskeyUser.signIn(yield* TestApp.guest, device)).status
          })
        }
        expect(left).toEqual([
          { passkeys: 1, apps: 1, recoveryCodes: 10, signIn: 303 },
          { passkeys: 0, apps: 0, recoveryCodes: 0, signIn: 401 }
        ])
      })
    )

    it.effect("ends the other links of the account too", () =>
      Effect.gen(function* () {
        const { link, person, stranger } = yield* forgetful
        const verification = yield* lastLink(person.email, "/verify")
        yield* stranger.get(link)
        yield* stranger.submit(link, { password: fresh })
        const { visitor } = yield* AuthApp.signIn({ ...person, password: fresh })
        expect((yield* visitor.json("GET", verification)).status).toBe(410)
      })
    )

    it.effect("regenerates the session that did it", () =>
      Effect.gen(function* () {
        const { link, visitor } = yield* forgetful
        const before = visitor.jar.get("session")
        yield* visitor.get(link)
        yield* visitor.submit(link, { password: fresh })
        expect(visitor.jar.get("session")).not.toBe(before)
      })
    )

    it.effect("consumes no link for a form that is wrong", () =>
      Effect.gen(function* () {
        const { link, stranger } = yield* forgetful
        yield* stranger.get(link)
        const short = yield* stranger.submit(link, { password: "short" })
        expect(short.status).toBe(422)
        expect(short.body).toContain("Use at least 8 characters.")
        const differs = yield* stranger.submit(link, { password: fresh, password_confirmation: "another" })
        expect(differs.body).toContain("The two passwords differ.")
        expect((yield* stranger.submit(link, { password: fresh })).location).toBe("/login")
      })
    )

    it.effect("refuses the e-mail as password without spending the link", () =>
      Effect.gen(function* () {
        const { link, person, stranger } = yield* forgetful
        yield* stranger.get(link)
        const refused = yield* stranger.submit(link, { password: person.email })
        expect(refused.status).toBe(422)
        expect(refused.body).toContain("Use something other than your e-mail address.")
        expect(refused.body).toContain(`action="${link}"`)
        expect((yield* stranger.submit(link, { password: fresh })).location).toBe("/login")
      })
    )

    it.effect("works once, also when it is sent many times at once", () =>
      Effect.gen(function* () {
        const { app, link } = yield* forgetful
        const visitors = [1, 2, 3, 4].map(() => Visitor.make(app.url))
        for (const visitor of visitors) yield* visitor.get(link)
        const attempt = (visitor: Visitor.Visitor, index: number) =>
          Effect.map(visitor.submit(link, { password: `${fresh} ${index}` }), ({ location }) => location)
        const to = yield* Effect.forEach(visitors, attempt, { concurrency: "unbounded" })
        expect(to.filter((location) => location === "/login")).toHaveLength(1)
        expect(to.filter((location) => location === "/forgot")).toHaveLength(3)
      })
    )

    it.effect.each([
      ["a spent link", (link: string) => link, true],
      ["a tampered link", (link: string) => link.slice(0, -1) + (link.endsWith("0") ? "1" : "0"), false],
      ["a link of another shape", () => "/reset/x/y", false]
    ] as const)("leads from %s to where a new one is asked for", ([, change, spend]) =>
      Effect.gen(function* () {
        const { link, stranger } = yield* forgetful
        yield* stranger.get(link)
        if (spend) yield* stranger.submit(link, { password: fresh })
        const bad = change(link)
        expect(yield* stranger.get(bad)).toMatchObject({ status: 303, location: "/forgot" })
        expect(yield* stranger.read("/forgot")).toContain(invalid)
        yield* stranger.get("/login")
        expect(yield* stranger.submit(bad, { password: fresh })).toMatchObject({ status: 303, location: "/forgot" })
        expect(yield* stranger.json("GET", bad)).toMatchObject({ status: 410, json: { error: invalid } })
        const told = yield* stranger.json("POST", bad, { password: fresh })
        expect(told).toMatchObject({ status: 410, json: { error: invalid } })
      })
    )

    it.effect("refuses a link that is older than AUTH_RECOVERY_TTL", () =>
      Effect.gen(function* () {
        const { link, stranger } = yield* forgetful
        yield* stranger.get(link)
        yield* TestClock.adjust("3600 seconds")
        expect((yield* stranger.submit(link, { password: fresh })).location).toBe("/forgot")
      })
    )

    it.effect("takes no verification link for a reset link", () =>
      Effect.gen(function* () {
        const { person, stranger } = yield* forgetful
        const verification = yield* lastLink(person.email, "/verify")
        const confused = verification.replace("/verify/", "/reset/")
        expect((yield* stranger.get(confused)).location).toBe("/forgot")
        expect((yield* stranger.json("POST", confused, { password: fresh })).status).toBe(410)
        const { visitor } = yield* AuthApp.signIn(person)
        expect((yield* visitor.json("GET", verification)).status).toBe(200)
      })
    )

    it.effect("tells a program what a page would say", () =>
      Effect.gen(function* () {
        const { link, stranger } = yield* forgetful
        expect((yield* stranger.json("GET", link)).json).toEqual({ message: "Choose a new password" })
        expect(yield* stranger.json("POST", link, { password: "short" })).toMatchObject({
          status: 422,
          json: { fields: { password: "Use at least 8 characters." } }
        })
        expect(yield* stranger.json("POST", link, { password: fresh })).toMatchObject({
          status: 200,
          json: { message: "Password reset! Sign in with your new password." }
        })
      })
    )

    it.effect("lets 5 in 600 s from one address, and counts no GET", () =>
      Effect.gen(function* () {
        const { link, stranger } = yield* forgetful
        for (let count = 0; count < 5; count++) {
          yield* stranger.get(link)
          expect((yield* stranger.submit(link, { password: "short" })).status).toBe(422)
        }
        expect((yield* stranger.submit(link, { password: fresh })).status).toBe(429)
      })
    )
  })
})

import { expect, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Visitor from "../../support/Visitor.ts"

const invalid = "This verification link is invalid or has expired."

/** Someone with an account and the link that was mailed to them. */
const newcomer = Effect.gen(function* () {
  const app = yield* AuthApp.AuthApp
  const { person, visitor } = yield* AuthApp.register()
  const link = yield* app.linkTo(person.email)
  return { app, person, visitor, link }
})

const isVerified = (visitor: Visitor.Visitor) =>
  Effect.map(visitor.json("GET", "/account"), ({ body }) => body.includes('"verified":true'))

describeDatabases("Verify", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("confirms the address of a signed-in user and redirects to the account", () =>
      Effect.gen(function* () {
        const { link, visitor } = yield* newcomer
        expect(yield* isVerified(visitor)).toBe(false)
        expect(yield* visitor.get(link)).toMatchObject({ status: 303, location: "/account" })
        const page = yield* visitor.read("/account")
        expect(page).toContain("E-mail verified!")
        expect(page).not.toContain("Resend verification link")
        expect(yield* isVerified(visitor)).toBe(true)
      })
    )

    it.effect("redeems nothing for a guest, who signs in first and comes back to the link", () =>
      Effect.gen(function* () {
        const { app, link, person, visitor } = yield* newcomer
        const guest = Visitor.make(app.url)
        for (let opened = 0; opened < 3; opened++) {
          expect(yield* guest.get(link)).toMatchObject({ status: 303, location: "/login" })
          expect(yield* isVerified(visitor)).toBe(false)
        }
        expect(yield* guest.read("/login")).toContain("Sign in to verify your e-mail.")
        expect((yield* guest.submit("/login", { email: person.email, password: person.password })).location).toBe(link)
        expect(yield* guest.get(link)).toMatchObject({ status: 303, location: "/account" })
        expect(yield* guest.read("/account")).toContain("E-mail verified!")
        expect(yield* isVerified(visitor)).toBe(true)
        expect(yield* Visitor.make(app.url).json("GET", link)).toMatchObject({ status: 401 })
      })
    )

    it.effect("redeems nothing in a session of another account", () =>
      Effect.gen(function* () {
        const { link, visitor } = yield* newcomer
        const { visitor: other } = yield* AuthApp.register()
        expect(yield* other.get(link)).toMatchObject({ status: 303, location: "/account" })
        expect(yield* other.read("/account")).toContain(invalid)
        expect([yield* isVerified(other), yield* isVerified(visitor)]).toEqual([false, false])
        yield* visitor.get(link)
        expect(yield* isVerified(visitor)).toBe(true)
      })
    )

    it.effect("works once", () =>
      Effect.gen(function* () {
        const { link, visitor } = yield* newcomer
        yield* visitor.get(link)
        expect(yield* visitor.get(link)).toMatchObject({ status: 303, location: "/account" })
        expect(yield* visitor.read("/account")).toContain(invalid)
        expect(yield* isVerified(visitor)).toBe(true)
      })
    )

    it.effect("does not consume the link on HEAD, and responds as GET would", () =>
      Effect.gen(function* () {
        const { app, link, visitor } = yield* newcomer
        const scanner = Visitor.make(app.url)
        expect(yield* scanner.request(link, { method: "HEAD" })).toMatchObject({ status: 303, location: "/login" })
        const headers = { accept: "application/json" }
        expect((yield* scanner.request(link, { method: "HEAD", headers })).status).toBe(401)
        expect((yield* visitor.request(link, { method: "HEAD", headers })).status).toBe(200)
        expect((yield* visitor.request(`${link.slice(0, -1)}x`, { method: "HEAD", headers })).status).toBe(410)
        expect(yield* isVerified(visitor)).toBe(false)
        yield* visitor.get(link)
        expect(yield* isVerified(visitor)).toBe(true)
      })
    )

    it.effect("refuses a link whose verifier is wrong, and the right one still works", () =>
      Effect.gen(function* () {
        const { link, visitor } = yield* newcomer
        const tampered = link.slice(0, -1) + (link.endsWith("0") ? "1" : "0")
        yield* visitor.get(tampered)
        expect(yield* visitor.read("/account")).toContain(invalid)
        expect(yield* isVerified(visitor)).toBe(false)
        yield* visitor.get(link)
        expect(yield* isVerified(visitor)).toBe(true)
      })
    )

    it.effect("refuses a link that is older than AUTH_VERIFICATION_TTL", () =>
      Effect.gen(function* () {
        const { link, person } = yield* newcomer
        yield* TestClock.adjust("86400 seconds")
        const { visitor } = yield* AuthApp.signIn(person)
        yield* visitor.get(link)
        expect(yield* visitor.read("/account")).toContain(invalid)
        expect(yield* isVerified(visitor)).toBe(false)
      })
    )

    it.effect("takes no reset link for a verification link", () =>
      Effect.gen(function* () {
        const { person, visitor } = yield* newcomer
        const recovery = yield* AuthApp.recoveryLink(person.email)
        yield* visitor.get(recovery.replace("/reset/", "/verify/"))
        expect(yield* visitor.read("/account")).toContain(invalid)
        expect((yield* visitor.get(recovery)).status).toBe(200)
      })
    )

    it.effect("responds to a JSON client with a message, or 410 for an invalid link", () =>
      Effect.gen(function* () {
        const { link, visitor } = yield* newcomer
        expect(yield* visitor.json("GET", link)).toMatchObject({ status: 200, json: { message: "E-mail verified!" } })
        expect(yield* visitor.json("GET", link)).toMatchObject({ status: 410, json: { error: invalid } })
      })
    )

    it.effect("is kept by no cache and named to no other site", () =>
      Effect.gen(function* () {
        const { link, visitor } = yield* newcomer
        const { headers } = yield* visitor.get(link)
        expect(headers.get("cache-control")).toBe("no-store")
        expect(headers.get("referrer-policy")).toBe("same-origin")
      })
    )

    it.effect("lets 10 in 60 s from one address", () =>
      Effect.gen(function* () {
        const { link, visitor } = yield* newcomer
        for (let count = 0; count < 10; count++) {
          expect((yield* visitor.get("/verify/0123456789abcdef/none")).status).toBe(303)
        }
        const refused = yield* visitor.get(link)
        expect(refused.status).toBe(429)
        expect(refused.headers.get("retry-after")).toBe("60")
        expect(refused.body).not.toContain(link.split("/")[3])
        yield* TestClock.adjust("60 seconds")
        yield* visitor.get(link)
        expect(yield* isVerified(visitor)).toBe(true)
      })
    )
  })
})

describeDatabases("The resend of a verification link", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("sends a fresh link that ends the one before", () =>
      Effect.gen(function* () {
        const { app, link, person, visitor } = yield* newcomer
        yield* visitor.get("/account")
        expect(yield* visitor.submit("/verify", {})).toMatchObject({ status: 303, location: "/account" })
        expect(yield* visitor.read("/account")).toContain("Verification link sent. Check your inbox.")
        expect(yield* app.messagesTo(person.email)).toHaveLength(2)
        yield* visitor.get(link)
        expect(yield* isVerified(visitor)).toBe(false)
        yield* visitor.get(yield* app.linkTo(person.email))
        expect(yield* isVerified(visitor)).toBe(true)
      })
    )

    it.effect("reports that the address is already verified, and sends no message", () =>
      Effect.gen(function* () {
        const { app, link, person, visitor } = yield* newcomer
        yield* visitor.get(link)
        yield* visitor.get("/account")
        expect(yield* visitor.submit("/verify", {})).toMatchObject({ status: 303, location: "/account" })
        expect(yield* visitor.read("/account")).toContain("Your e-mail is already verified.")
        expect(yield* app.messagesTo(person.email)).toHaveLength(1)
      })
    )

    it.effect("is for those who are signed in", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const guest = Visitor.make(app.url)
        yield* guest.get("/login")
        expect(yield* guest.submit("/verify", {})).toMatchObject({ status: 303, location: "/login" })
        expect(yield* guest.json("POST", "/verify")).toMatchObject({
          status: 401,
          json: { error: expect.any(String) }
        })
      })
    )

    it.effect("counts 3 in 600 s for one address, after the guard", () =>
      Effect.gen(function* () {
        const { app, person, visitor } = yield* newcomer
        const guest = Visitor.make(app.url, visitor.address)
        for (let count = 0; count < 4; count++) {
          yield* guest.get("/login")
          expect((yield* guest.submit("/verify", {})).status).toBe(303)
        }
        yield* visitor.get("/account")
        for (let count = 0; count < 3; count++) expect((yield* visitor.submit("/verify", {})).status).toBe(303)
        expect((yield* visitor.submit("/verify", {})).status).toBe(429)
        expect(yield* app.messagesTo(person.email)).toHaveLength(4)
      })
    )

    it.effect("sends one account 3 messages in 600 s from any number of addresses, with the same response", () =>
      Effect.gen(function* () {
        const { app, person } = yield* newcomer
        for (let count = 0; count < 5; count++) {
          const { visitor } = yield* AuthApp.signIn(person)
          yield* visitor.get("/account")
          const told = yield* visitor.json("POST", "/verify")
          expect(told.json).toEqual({ message: "Verification link sent. Check your inbox." })
        }
        const subjects = (yield* app.messagesTo(person.email)).map(({ subject }) => subject)
        expect(subjects.filter((subject) => subject === "Confirm your e-mail address")).toHaveLength(4)
        // Each sign-in came from a new address, of which one that is not proved is not told.
        expect(subjects).toHaveLength(4)
      })
    )
  })
})

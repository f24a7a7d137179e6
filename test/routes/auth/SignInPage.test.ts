import { SqlClient } from "@effect/sql"
import { expect, it, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as EffectMetrics from "../../support/EffectMetrics.ts"
import * as Visitor from "../../support/Visitor.ts"

const account = Effect.gen(function* () {
  const app = yield* AuthApp.AuthApp
  const { person } = yield* AuthApp.register()
  return { app, person }
})

describeDatabases("A new database", (database) => {
  it.scoped("has no account that nobody has made", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      expect(yield* sql`SELECT id FROM users`).toEqual([])
    }).pipe(Effect.provide(database.layer))
  )
})

describeDatabases("Login", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("signs in, though the address is not verified, and welcomes back", () =>
      Effect.gen(function* () {
        const { person } = yield* account
        const { response, visitor } = yield* AuthApp.signIn(person)
        expect(response).toMatchObject({ status: 303, location: "/account" })
        const page = yield* visitor.read("/account")
        expect(page).toContain("Welcome back!")
        expect(page).toContain("Resend verification link")
      })
    )

    it.effect("works with the same password after years, and asks for no other", () =>
      Effect.gen(function* () {
        const { person } = yield* account
        yield* TestClock.adjust("2000 days")
        const { response } = yield* AuthApp.signIn(person)
        expect(response).toMatchObject({ status: 303, location: "/account" })
      })
    )

    it.effect("takes the e-mail in any case and with spaces around", () =>
      Effect.gen(function* () {
        const { person } = yield* account
        const spelled = { ...person, email: `  ${person.email.toUpperCase()} ` }
        expect((yield* AuthApp.signIn(spelled)).response.location).toBe("/account")
      })
    )

    it.effect("is counted by outcome", () =>
      Effect.gen(function* () {
        const { app, person } = yield* account
        const visitor = Visitor.make(app.url)
        const attempt = Effect.fnUntraced(function* (password: string) {
          yield* visitor.get("/login")
          return yield* visitor.submit("/login", { email: person.email, password })
        })
        const work = Effect.gen(function* () {
          for (let wrong = 0; wrong < 4; wrong++) expect((yield* attempt("not this password")).status).toBe(401)
          expect((yield* attempt("")).status).toBe(422)
          expect((yield* attempt(person.password)).status).toBe(429)
          expect((yield* AuthApp.signIn(person)).response.status).toBe(303)
        })
        const refusals = EffectMetrics.growth("rate_limit_refusals_total", work)
        expect(
          yield* EffectMetrics.growth(
            "auth_sign_ins_total",
            Effect.map(refusals, (grown) => expect(grown).toEqual({ "limit=login": 1 }))
          )
        ).toEqual({ "outcome=failure": 4, "outcome=limited": 1, "outcome=success": 1 })
      })
    )

    it.effect("redirects to the page that the guest requested, once", () =>
      Effect.gen(function* () {
        const { app, person } = yield* account
        const visitor = Visitor.make(app.url)
        expect(yield* visitor.get("/password?from=mail")).toMatchObject({ status: 303, location: "/login" })
        expect(yield* visitor.read("/login")).toContain("Sign in to continue.")
        const { email, password } = person
        expect((yield* visitor.submit("/login", { email, password })).location).toBe("/password?from=mail")
        yield* visitor.get("/account")
        yield* visitor.submit("/logout", {})
        yield* visitor.get("/login")
        expect((yield* visitor.submit("/login", { email, password })).location).toBe("/account")
      })
    )

    it.effect("remembers no POST as where someone wanted to go", () =>
      Effect.gen(function* () {
        const { app, person } = yield* account
        const visitor = Visitor.make(app.url)
        yield* visitor.get("/login")
        expect((yield* visitor.submit("/password", {})).location).toBe("/login")
        expect((yield* visitor.submit("/login", { ...person })).location).toBe("/account")
      })
    )

    it.effect("responds with the same 401 for a wrong password and an unknown e-mail, and keeps the e-mail", () =>
      Effect.gen(function* () {
        const { person } = yield* account
        const attempt = Effect.fnUntraced(function* (email: string) {
          const { response } = yield* AuthApp.signIn({ email, password: "not this password" }, { remember: "1" })
          const { body, cookies, headers, status } = response
          const names = [...headers.keys()].filter((name) => name !== "date").sort()
          const page = body.replaceAll(email, "E-MAIL").replace(/name="_token" value="[^"]*"/g, "TOKEN")
          return { status, names, cookies: cookies.length, page }
        })
        const known = yield* attempt(person.email)
        const unknown = yield* attempt(AuthApp.someone().email)
        expect(known.status).toBe(401)
        expect(known.page).toContain("Invalid credentials.")
        expect(known.page).toContain('value="E-MAIL"')
        expect(known.page).toContain("checked")
        expect(known.page).not.toContain("not this password")
        expect(unknown).toEqual(known)
      })
    )

    it.effect.each([
      ["no e-mail", { email: "", password: "anything" }, { email: "Enter your e-mail address." }],
      ["no address", { email: "someone", password: "anything" }, { email: "This is not an e-mail address." }],
      ["no password", { email: "a@example.com", password: "" }, { password: "Enter your password." }],
      [
        "a password of a megabyte",
        { email: "a@example.com", password: "x".repeat(900_000) },
        { password: "Use at most 1024 bytes." }
      ]
    ] as const)("responds with 422 for %s", ([, form, fields]) =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const visitor = Visitor.make(app.url)
        expect(yield* visitor.json("POST", "/login", form)).toMatchObject({ status: 422, json: { fields } })
        yield* visitor.get("/login")
        expect((yield* visitor.submit("/login", form)).status).toBe(422)
      })
    )

    it.effect("responds to a JSON client with the identity, or 401", () =>
      Effect.gen(function* () {
        const { app, person } = yield* account
        const visitor = Visitor.make(app.url)
        const refused = yield* visitor.json("POST", "/login", { ...person, password: "not this password" })
        expect(refused).toMatchObject({ status: 401, json: { error: "Invalid credentials." } })
        const told = yield* visitor.json("POST", "/login", person)
        expect(told.status).toBe(200)
        expect(told.location).toBeUndefined()
        expect(told.json).toEqual({ id: expect.any(String), email: person.email, verified: false })
        expect(told.body).not.toContain("password")
      })
    )

    it.effect("redirects a signed-in or remembered user to the account", () =>
      Effect.gen(function* () {
        const { person } = yield* account
        const { visitor } = yield* AuthApp.signIn(person, { remember: "1" })
        expect((yield* visitor.get("/login")).location).toBe("/account")
        visitor.jar.delete("session")
        expect((yield* visitor.get("/login")).location).toBe("/account")
        expect(visitor.jar.has("session")).toBe(true)
      })
    )

    it.effect("lets 5 in 60 s from one address, right or wrong", () =>
      Effect.gen(function* () {
        const { app, person } = yield* account
        const visitor = Visitor.make(app.url)
        yield* visitor.get("/login")
        const wrong = { email: person.email, password: "not this password" }
        for (let count = 0; count < 5; count++) expect((yield* visitor.submit("/login", wrong)).status).toBe(401)
        const refused = yield* visitor.submit("/login", { ...person })
        expect(refused.status).toBe(429)
        expect(refused.headers.get("retry-after")).toBe("60")
        yield* TestClock.adjust("60 seconds")
        expect((yield* visitor.submit("/login", { ...person })).status).toBe(303)
      })
    )

    it.effect("lets 30 in 600 s at one account from however many addresses, whether it exists or not", () =>
      Effect.gen(function* () {
        const { app, person } = yield* account
        const flood = Effect.fnUntraced(function* (email: string) {
          const statuses: Array<number> = []
          for (let count = 0; count < 31; count++) {
            const told = yield* Visitor.make(app.url).json("POST", "/login", { email, password: "not this password" })
            statuses.push(told.status)
          }
          return statuses
        })
        const expected = [...Array.from({ length: 30 }, () => 401), 429]
        expect(yield* flood(person.email)).toEqual(expected)
        expect(yield* flood(AuthApp.someone().email)).toEqual(expected)
        const late = yield* Visitor.make(app.url).json("POST", "/login", person)
        expect(late.status).toBe(429)
        expect(late.headers.get("x-ratelimit-limit")).toBe("30")
        yield* TestClock.adjust("600 seconds")
        expect((yield* Visitor.make(app.url).json("POST", "/login", person)).status).toBe(200)
      })
    )
  })
})

describeDatabases("Being remembered", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("sends a lasting cookie with all flags only when it was asked for", () =>
      Effect.gen(function* () {
        const { person } = yield* account
        const plain = yield* AuthApp.signIn(person)
        expect(plain.visitor.jar.has("remember")).toBe(false)
        const { response } = yield* AuthApp.signIn(person, { remember: "1" })
        expect(response.cookies).toContainEqual(
          expect.stringMatching(
            /^remember=[0-9a-f]{16}\.[0-9a-f]{64}; Max-Age=2592000; Path=\/; Secure; HttpOnly; SameSite=Lax$/
          )
        )
      })
    )

    it.effect("signs the device in again when its session is gone, with the validator rotated", () =>
      Effect.gen(function* () {
        const { person } = yield* account
        const { visitor } = yield* AuthApp.signIn(person, { remember: "1" })
        const first = visitor.jar.get("remember") ?? ""
        visitor.jar.delete("session")
        expect((yield* visitor.get("/account")).status).toBe(200)
        const second = visitor.jar.get("remember") ?? ""
        expect(second).not.toBe(first)
        expect(second.split(".")[0]).toBe(first.split(".")[0])
      })
    )

    it.effect("revokes cookie, devices and sessions when a validator is presented twice", () =>
      Effect.gen(function* () {
        const { app, person } = yield* account
        const { visitor } = yield* AuthApp.signIn(person, { remember: "1" })
        const { visitor: elsewhere } = yield* AuthApp.signIn(person)
        const thief = Visitor.make(app.url)
        thief.jar.set("remember", visitor.jar.get("remember") ?? "")
        visitor.jar.delete("session")
        yield* visitor.get("/account")
        const response = yield* thief.get("/account")
        expect(response.location).toBe("/login")
        expect(thief.jar.has("remember")).toBe(false)
        expect((yield* visitor.get("/account")).location).toBe("/login")
        expect((yield* elsewhere.get("/account")).location).toBe("/login")
      })
    )

    it.effect("ends with a sign-in that does not ask for it", () =>
      Effect.gen(function* () {
        const { app, person } = yield* account
        const { person: other } = yield* AuthApp.register()
        const { visitor } = yield* AuthApp.signIn(person, { remember: "1" })
        const series = visitor.jar.get("remember") ?? ""
        expect((yield* visitor.json("POST", "/login", other)).status).toBe(200)
        expect(visitor.jar.has("remember")).toBe(false)
        const thief = Visitor.make(app.url)
        thief.jar.set("remember", series)
        expect((yield* thief.get("/account")).location).toBe("/login")
      })
    )
  })
})

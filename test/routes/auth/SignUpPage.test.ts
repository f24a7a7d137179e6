import { expect, layer } from "@effect/vitest"
import { Effect, Option, TestClock } from "effect"
import { Users } from "../../../src/auth/Users.ts"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Visitor from "../../support/Visitor.ts"

const cases = [
  ["nothing at all", {}, { email: "Enter your e-mail address.", password: "Use at least 8 characters." }],
  ["a malformed e-mail", { email: "no address" }, { email: "This is not an e-mail address." }],
  ["a second recipient", { email: "a@example.com,b@example.com" }, { email: "This is not an e-mail address." }],
  ["a line break", { email: "a@example.com\nBcc: b@example.com" }, { email: "This is not an e-mail address." }],
  ["a short password", { password: "1234567" }, { password: "Use at least 8 characters." }],
  ["seven emoji", { password: "🙂".repeat(7) }, { password: "Use at least 8 characters." }],
  ["a long password", { password: "é".repeat(513) }, { password: "Use at most 1024 bytes." }],
  [
    "a common password",
    { password: "12345678" },
    { password: "This password is one of the most common. Choose another." }
  ],
  [
    "the e-mail as password",
    { email: "Same@Example.com", password: "same@example.com" },
    { password: "Use something other than your e-mail address." }
  ],
  [
    "another confirmation",
    { password_confirmation: "something else" },
    { password_confirmation: "The two passwords differ." }
  ]
] as const

describeDatabases("Register", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("creates the account, signs it in and redirects to it with a message that is shown once", () =>
      Effect.gen(function* () {
        const { response, person, visitor } = yield* AuthApp.register()
        expect(response.status).toBe(303)
        expect(response.location).toBe("/account")
        const page = yield* visitor.get("/account")
        expect(page.status).toBe(200)
        expect(page.body).toContain("Account created! Check your inbox for the verification link.")
        expect(page.body).toContain(person.email)
        expect((yield* visitor.get("/account")).body).not.toContain("Account created!")
      })
    )

    it.effect("gives the session another id, in a cookie with all flags and no lifetime", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const visitor = Visitor.make(app.url)
        yield* visitor.get("/register")
        const before = visitor.jar.get("session")
        const { email, password } = AuthApp.someone()
        const response = yield* visitor.submit("/register", { email, password })
        expect(before).toBeDefined()
        expect(visitor.jar.get("session")).not.toBe(before)
        expect(response.cookies).toEqual([
          expect.stringMatching(
            /^known_device=d\.[0-9a-f]{32}\.[\w-]+; Max-Age=34560000; Path=\/; Secure; HttpOnly; SameSite=Lax$/
          ),
          expect.stringMatching(/^session=[A-Za-z0-9_-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
        ])
      })
    )

    it.effect("mails a link that is made from APP_URL, once in each part", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* AuthApp.register()
        const [letter, ...more] = yield* app.messagesTo(person.email)
        expect(more).toEqual([])
        const link = /https:\/\/app\.example\/verify\/[0-9a-f]{16}\/[0-9a-f]{64}/g
        expect(letter?.text.match(link)).toHaveLength(1)
        expect(letter?.html.match(link)).toHaveLength(1)
      })
    )

    it.effect.each(cases)("responds with 422 for %s, beside the field", ([, given, faults]) =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const visitor = Visitor.make(app.url)
        const { email, password } = AuthApp.someone()
        const form: Record<string, string> = Object.keys(given).length === 0 ? {} : { email, password, ...given }
        const told = yield* visitor.json("POST", "/register", form)
        expect(told.status).toBe(422)
        expect(told.json).toEqual({ error: "Some fields need your attention.", fields: faults })
        yield* visitor.get("/register")
        const page = yield* visitor.submit("/register", form)
        expect(page.status).toBe(422)
        for (const [name, fault] of Object.entries(faults)) {
          expect(page.body).toContain(`<p class="error" id="${name}-error">${fault}</p>`)
        }
        expect(page.body).toContain("<title>Error: Sign up")
        expect(yield* Effect.flatMap(Users, (users) => users.fetch(form["email"] ?? ""))).toEqual(Option.none())
      })
    )

    it.effect("keeps the e-mail in the form that is shown again, and never a password", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const visitor = Visitor.make(app.url)
        yield* visitor.get("/register")
        const page = yield* visitor.submit("/register", {
          email: `"><script>@example.com`,
          password: "my secret words",
          password_confirmation: "my other words"
        })
        expect(page.body).toContain(`value="&quot;&gt;&lt;script&gt;@example.com"`)
        expect(page.body).not.toContain("<script>@")
        expect(page.body).not.toMatch(/my (secret|other) words/)
      })
    )

    it.effect("refuses a registered e-mail in any spelling, and sends no message", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* AuthApp.register()
        const again = { ...person, email: ` ${person.email.toUpperCase()} ` }
        const { response, visitor } = yield* AuthApp.register(again)
        expect(response.status).toBe(422)
        expect(response.body).toContain("This e-mail is already registered.")
        expect((yield* visitor.get("/account")).location).toBe("/login")
        const told = yield* visitor.json("POST", "/register", again)
        expect(told.status).toBe(422)
        expect(told.json).toEqual({
          error: "This e-mail is already registered.",
          fields: { email: "This e-mail is already registered." }
        })
        expect(yield* app.messagesTo(person.email)).toHaveLength(1)
      })
    )

    it.effect("makes one account of many sign-ups at once", () =>
      Effect.gen(function* () {
        const person = AuthApp.someone()
        const attempts = Array.from({ length: 4 }, () => AuthApp.register(person))
        const responses = yield* Effect.all(attempts, { concurrency: "unbounded" })
        expect(responses.map(({ response }) => response.status).sort()).toEqual([303, 422, 422, 422])
      })
    )

    it.effect("responds to a JSON client with 201 and the identity, and needs no confirmation", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const visitor = Visitor.make(app.url)
        const person = AuthApp.someone()
        const told = yield* visitor.json("POST", "/register", person)
        expect(told.status).toBe(201)
        expect(told.location).toBeUndefined()
        expect(told.json).toEqual({ id: expect.any(String), email: person.email, verified: false })
        expect((yield* visitor.json("GET", "/account")).json).toMatchObject({ email: person.email })
      })
    )

    it.effect("redirects a signed-in user to the account", () =>
      Effect.gen(function* () {
        const { person, visitor } = yield* AuthApp.register()
        expect(yield* visitor.get("/register")).toMatchObject({ status: 303, location: "/account" })
        const told = yield* visitor.json("GET", "/register")
        expect(told.status).toBe(200)
        expect(told.json).toMatchObject({ email: person.email })
      })
    )

    it.effect("lets 5 in 600 s from one address, tells how many are left, and counts no GET", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const visitor = Visitor.make(app.url)
        for (const left of ["4", "3", "2", "1", "0"]) {
          expect((yield* visitor.get("/register")).headers.get("x-ratelimit-limit")).toBeNull()
          const response = yield* visitor.submit("/register", { email: "no" })
          expect(response.status).toBe(422)
          expect(response.headers.get("x-ratelimit-limit")).toBe("5")
          expect(response.headers.get("x-ratelimit-remaining")).toBe(left)
        }
        const refused = yield* visitor.submit("/register", { ...AuthApp.someone() })
        expect(refused.status).toBe(429)
        expect(refused.headers.get("retry-after")).toBe("600")
        expect(refused.headers.get("x-ratelimit-remaining")).toBe("0")
        expect(Number(refused.headers.get("x-ratelimit-reset"))).toBeGreaterThan(0)
        expect((yield* visitor.json("POST", "/register", AuthApp.someone())).json).toEqual({
          error: expect.any(String)
        })
        expect((yield* AuthApp.register()).response.status).toBe(303)
        yield* TestClock.adjust("600 seconds")
        yield* visitor.get("/register")
        expect((yield* visitor.submit("/register", { ...AuthApp.someone() })).status).toBe(303)
      })
    )
  })
})

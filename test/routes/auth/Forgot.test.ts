import { expect, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Visitor from "../../support/Visitor.ts"

const uniform = "If that e-mail exists, we sent a password reset link."

const ask = Effect.fnUntraced(function* (app: { readonly url: string }, email: string) {
  const visitor = Visitor.make(app.url)
  yield* visitor.get("/forgot")
  return { visitor, response: yield* visitor.submit("/forgot", { email }) }
})

describeDatabases("Forgot", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("mails a link that is made from APP_URL", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* AuthApp.register()
        const { response, visitor } = yield* ask(app, person.email.toUpperCase())
        expect(response).toMatchObject({ status: 303, location: "/forgot" })
        expect(yield* visitor.read("/forgot")).toContain(uniform)
        const letter = (yield* app.messagesTo(person.email))[1]
        expect(letter?.text).toMatch(/https:\/\/app\.example\/reset\/[0-9a-f]{16}\/[0-9a-f]{64}\n/)
      })
    )

    it.effect("responds the same for an unknown e-mail, and sends no message", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* AuthApp.register()
        const stranger = AuthApp.someone()
        const facts = Effect.fnUntraced(function* (email: string) {
          const { response, visitor } = yield* ask(app, email)
          const { body, cookies, headers, location, status } = response
          const told = yield* visitor.json("POST", "/forgot", { email })
          const names = [...headers.keys()].filter((name) => name !== "date")
          return {
            status,
            location,
            body,
            cookies: cookies.length,
            names,
            value: told.json,
            page: yield* visitor.read("/forgot")
          }
        })
        const known = yield* facts(person.email)
        expect(yield* facts(stranger.email)).toEqual(known)
        expect(known.value).toEqual({ message: uniform })
        expect(yield* app.messagesTo(stranger.email)).toEqual([])
      })
    )

    it.effect("responds with 422 for an invalid address", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { response, visitor } = yield* ask(app, "nobody")
        expect(response.status).toBe(422)
        expect(response.body).toContain("This is not an e-mail address.")
        expect(yield* visitor.json("POST", "/forgot", { email: "nobody" })).toMatchObject({
          status: 422,
          json: { fields: { email: "This is not an e-mail address." } }
        })
      })
    )

    it.effect("is open to those who are signed in", () =>
      Effect.gen(function* () {
        const { visitor } = yield* AuthApp.register()
        expect((yield* visitor.get("/forgot")).status).toBe(200)
      })
    )

    it.effect("lets 3 in 600 s from one address", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const visitor = Visitor.make(app.url)
        yield* visitor.get("/forgot")
        const { email } = AuthApp.someone()
        for (let count = 0; count < 3; count++) expect((yield* visitor.submit("/forgot", { email })).status).toBe(303)
        const refused = yield* visitor.submit("/forgot", { email })
        expect(refused.status).toBe(429)
        expect(refused.headers.get("retry-after")).toBe("600")
      })
    )

    it.effect("sends one account 3 messages in 600 s from any number of addresses, with the same response", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* AuthApp.register()
        for (let count = 0; count < 5; count++) {
          const { response } = yield* ask(app, person.email)
          expect(response).toMatchObject({ status: 303, location: "/forgot" })
          expect(response.headers.get("x-ratelimit-limit")).toBe("3")
          expect(response.headers.get("x-ratelimit-remaining")).toBe("2")
        }
        expect(yield* app.messagesTo(person.email)).toHaveLength(4)
        yield* TestClock.adjust("600 seconds")
        yield* ask(app, person.email)
        expect(yield* app.messagesTo(person.email)).toHaveLength(5)
      })
    )
  })
})

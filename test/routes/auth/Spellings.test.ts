// Two spellings of an e-mail whose messages reach one mailbox are one account and one limit.
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Visitor from "../../support/Visitor.ts"

const plain = "bob@example.com"

const spellings = [
  plain,
  " Bob@EXAMPLE.com ",
  "bob@\uff45\uff58\uff41\uff4d\uff50\uff4c\uff45.com",
  "bob@example\u3002com",
  "bob@example\uff0ecom",
  "bob@example\uff61com",
  "bob@exam\u00adple.com",
  "bob@\u212fxample.com",
  "bob@\u24d4xample.\u{1d41c}om"
]

describeDatabases("One mailbox", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("is one account and gets a bounded number of messages, in any spelling of its domain", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const sql = yield* SqlClient.SqlClient
        const statuses: Array<number> = []
        for (const email of spellings) {
          const visitor = Visitor.make(app.url)
          const { json, status } = yield* visitor.json("POST", "/register", { email, password: "quiet harbour" })
          statuses.push(status)
          expect(json).toMatchObject(
            status === 201 ? { email: plain } : { fields: { email: "This e-mail is already registered." } }
          )
        }
        expect(statuses).toEqual([201, ...Array.from({ length: 8 }, () => 422)])
        expect(yield* sql`SELECT email FROM users`).toEqual([{ email: plain }])
        expect(yield* app.messagesTo(plain)).toHaveLength(1)
        for (const email of spellings) {
          expect((yield* Visitor.make(app.url).json("POST", "/forgot", { email })).status).toBe(200)
        }
        // One link to verify, three to reset: the limit of the account, not of each spelling.
        expect(yield* app.messagesTo(plain)).toHaveLength(4)
      })
    )

    it.effect("signs in by any spelling, and all of them are counted together", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const email = "carol@xn--bcher-kva.example"
        const person = { email, password: "quiet harbour" }
        yield* AuthApp.register({ ...person, email: "Carol@B\u00dcCHER.example" })
        for (const spelling of [email, "carol@b\u00fccher.example", "carol@bu\u0308cher\u3002example"]) {
          const { response } = yield* AuthApp.signIn({ ...person, email: spelling })
          expect(response.status, spelling).toBe(303)
        }
        const statuses: Array<number> = []
        for (let count = 0; count < 28; count++) {
          const spelling = ["carol@b\u00fccher.example", "carol@b\u00fccher\uff0eexample", email][count % 3]
          const visitor = Visitor.make(app.url)
          statuses.push((yield* visitor.json("POST", "/login", { email: spelling, password: "wrong" })).status)
        }
        expect(statuses.filter((status) => status === 401)).toHaveLength(27)
        expect(statuses.at(-1)).toBe(429)
      })
    )

    it.effect("refuses its own address as a password in any spelling", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const fault = { fields: { password: "Use something other than your e-mail address." } }
        const spelling = "Dora@\uff22\u00fccher\u3002example"
        const email = "dora@b\u00fccher.example"
        const first = Visitor.make(app.url)
        expect((yield* first.json("POST", "/register", { email, password: spelling })).json).toMatchObject(fault)
        const { person, visitor } = yield* AuthApp.register({ email, password: "quiet harbour" })
        const change = { current: person.password, password: spelling }
        expect((yield* visitor.json("POST", "/password", change)).json).toMatchObject(fault)
        const link = yield* AuthApp.recoveryLink("dora@xn--bcher-kva.example")
        expect((yield* visitor.json("POST", link, { password: spelling })).json).toMatchObject(fault)
      })
    )

    it.effect.each([
      ["a dot at the end of the domain", "eve@example.com."],
      ["an address in place of a domain", "eve@127.0.0.1"],
      ["an address in wide digits", "eve@\uff11\uff12\uff17.0.0.1"],
      ["an address in brackets", "eve@[127.0.0.1]"],
      ["punycode of nothing", "eve@xn--a.example"],
      ["a joiner", "eve@exam\u200dple.com"],
      ["a slash in the domain", "eve@example.com/x"],
      ["an escape in the domain", "eve@%65xample.com"],
      ["a quoted name", '"eve"@example.com'],
      ["a comment", "eve(x)@example.com"],
      ["two addresses", "eve@example.com,mallory@example.com"],
      ["a wide @", "eve\uff20example.com"],
      ["a header", "eve@example.com\r\nBcc: mallory@example.com"],
      ["a line break inside the domain", "eve@exam\nple.com"],
      ["a long label", `eve@${"a".repeat(64)}.example`],
      ["a label that is too long in ASCII only", `eve@${"\u00fc".repeat(60)}.example`],
      ["a long domain", `eve@${"\u00fc.".repeat(120)}example`],
      ["a huge domain", `eve@${"\u00fc\u4e2d".repeat(100_000)}.example`]
    ] as const)("responds with 422 for %s", ([, email]) =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        for (const path of ["/register", "/login", "/forgot"]) {
          const response = yield* Visitor.make(app.url).json("POST", path, { email, password: "quiet harbour" })
          expect(response.status, path).toBe(422)
          expect(response.json, path).toMatchObject({ fields: { email: "This is not an e-mail address." } })
        }
        expect(yield* app.messagesTo("mallory@example.com")).toEqual([])
      })
    )
  })
})

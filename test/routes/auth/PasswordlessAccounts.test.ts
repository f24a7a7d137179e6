// Accounts without a password, over real sockets: no password signs them in, and a reset sets one.
import { expect, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { lastLink } from "../../support/MailedLinks.ts"
import * as PasswordlessUser from "../../support/PasswordlessUser.ts"

const password = "another quiet harbour"
const chosen = { password, password_confirmation: password }

const stateOf = ({ id }: TestApp.TestUser) => Effect.flatMap(Users, ({ passwordState }) => passwordState(id))

const attempt = Effect.fnUntraced(function* (email: string, given: string) {
  const guest = yield* TestApp.guest
  return yield* guest.submit("/login", { email, password: given })
})

describeDatabases("An account without a password", (database) => {
  layer(
    TestApp.layer([PasswordlessUser.route], { environment: "production", hashing: "argon2", database: database.layer })
  )((it) => {
    it.effect("is signed in by no password, with the refusal of an unknown e-mail", () =>
      Effect.gen(function* () {
        const user = yield* PasswordlessUser.enroll()
        for (const guess of ["correct-horse-battery", "!", "null", " "]) {
          const known = yield* attempt(user.email, guess)
          const unknown = yield* attempt("nobody@example.com", guess)
          expect([known.status, known.text.replaceAll(user.email, "")]).toEqual([
            unknown.status,
            unknown.text.replaceAll("nobody@example.com", "")
          ])
          expect(known.status).toBe(401)
        }
        const { items } = yield* Effect.flatMap(SecurityEvents, ({ list }) => list(user.id))
        expect(items.map(({ _tag }) => _tag)).toContain("SignInFailed")
      })
    )

    it.effect("gets its first password by a reset", () =>
      Effect.gen(function* () {
        const browser = yield* PasswordlessUser.make
        const guest = yield* TestApp.guest
        yield* guest.submit("/forgot", { email: browser.user.email })
        const link = yield* lastLink(browser.user.email, "/reset")
        expect((yield* guest.submit(link, chosen)).location).toBe("/login")
        expect(yield* stateOf(browser.user)).toBe("set")
        expect((yield* browser.get("/account")).location).toBe("/login")
        expect((yield* attempt(browser.user.email, password)).location).toBe("/account")
      })
    )

    it.effect("is locked by a report, also against a password that a session would set", () =>
      Effect.gen(function* () {
        const { user } = yield* PasswordlessUser.make
        const token = yield* Effect.flatMap(Tokens, ({ mint }) => mint(user.id, "not_me"))
        const owner = yield* TestApp.guest
        yield* owner.submit(`/not-me/${Redacted.value(token.value).replace(".", "/")}`, {})
        expect(yield* stateOf(user)).toBe("locked")
        const users = yield* Users
        expect(yield* users.rotate(user.id, Redacted.make(password), { current: "none" })).toBe(false)
        yield* owner.submit(yield* lastLink(user.email, "/reset"), chosen)
        expect((yield* attempt(user.email, password)).location).toBe("/account")
      })
    )
  })
})

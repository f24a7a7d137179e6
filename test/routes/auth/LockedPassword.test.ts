// What a person does against whoever took the account over must not wait behind the sign-ins of that attacker.
import { expect, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Tokens } from "../../../src/auth/Tokens.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { lastLink } from "../../support/MailedLinks.ts"
import * as PasswordQueue from "../../support/PasswordQueue.ts"

const signIn = Effect.fnUntraced(function* ({ email, password }: TestApp.TestUser) {
  const guest = yield* TestApp.guest
  return (yield* guest.submit("/login", { email, password })).status
})

describeDatabases("While too many passwords are hashed", (database) => {
  layer(TestApp.layer([], { hashing: PasswordQueue.layer, database: database.layer }))((it) => {
    it.effect("an address is restored, and the password that was known is useless", () =>
      Effect.gen(function* () {
        const thief = yield* TestApp.signedInUser()
        const { user } = thief
        const email = "taken-over@example.com"
        yield* thief.submit("/account/email", { email })
        yield* thief.submit(yield* lastLink(email, "/account/email"), {})
        const undo = yield* lastLink(user.email, "/account/email/undo")
        const owner = yield* TestApp.guest
        const restored = yield* PasswordQueue.full(owner.submit(undo, {}))
        expect([restored.status, restored.location]).toEqual([303, "/login"])
        expect((yield* thief.get("/account")).location).toBe("/login")
        for (const given of [user.email, email]) expect(yield* signIn({ ...user, email: given })).toBe(401)
        const password = "another quiet harbour"
        yield* owner.submit(yield* lastLink(user.email, "/reset"), { password, password_confirmation: password })
        expect(yield* signIn({ ...user, password })).toBe(303)
      })
    )

    it.effect("an account is reported and locked", () =>
      Effect.gen(function* () {
        const thief = yield* TestApp.signedInUser()
        const { user } = thief
        const token = yield* Effect.flatMap(Tokens, ({ mint }) => mint(user.id, "not_me"))
        const link = `/not-me/${Redacted.value(token.value).replace(".", "/")}`
        const owner = yield* TestApp.guest
        const reported = yield* PasswordQueue.full(owner.submit(link, {}))
        expect([reported.status, reported.location]).toEqual([303, "/login"])
        expect((yield* thief.get("/account")).location).toBe("/login")
        expect(yield* signIn(user)).toBe(401)
        expect(yield* lastLink(user.email, "/reset")).not.toBe("")
      })
    )
  })
})

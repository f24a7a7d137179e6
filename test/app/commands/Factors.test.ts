// `factors remove` on both databases: what an operator does for a person who has lost everything.
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Factors from "../../../app/commands/Factors.ts"
import { Factors as Store } from "../../../src/auth/Factors.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import { CapturedMail } from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"

describeDatabases("factors remove", (database) => {
  layer(TestApp.layer([], { environment: "production", database: database.layer }))((it) => {
    it.effect("removes the apps and recovery codes of an account, records who did it, and tells its address", () =>
      Effect.gen(function* () {
        const { browser: person, user } = yield* PasskeyUser.make
        yield* FactorApp.enrol(user)
        const neighbour = yield* TestApp.signedInUser()
        const { user: other } = neighbour
        yield* FactorApp.enrol(other)
        const trust = yield* Trust
        yield* trust.issue(user.id)
        expect((yield* person.json("GET", "/account")).status).toBe(200)
        expect(yield* Factors.remove(user.email, false)).toBe(0)
        expect([(yield* person.json("GET", "/account")).status, yield* trust.list(user.id)]).toEqual([401, []])
        expect((yield* neighbour.json("GET", "/account")).status).toBe(200)
        const store = yield* Store
        const passkeys = yield* Passkeys
        expect([yield* store.list(user.id), yield* store.countRecoveryCodes(user.id)]).toEqual([[], 0])
        expect([(yield* store.list(other.id)).length, (yield* passkeys.list(user.id)).length]).toEqual([1, 1])
        expect(yield* Factors.remove(user.email, true)).toBe(0)
        expect(yield* passkeys.list(user.id)).toEqual([])
        // Nothing is left that a message would tell of.
        expect(yield* Factors.remove(user.email, true)).toBe(0)
        const { items } = yield* Effect.flatMap(SecurityEvents, ({ list }) =>
          list(user.id, { events: ["FactorRemoved"] })
        )
        expect(items).toMatchObject([
          { factor: "passkey", actor: "operator" },
          { factor: "totp", actor: "operator" }
        ])
        const messages = yield* Effect.flatMap(CapturedMail, (mail) => mail.messagesTo(user.email))
        const told = messages.filter(({ subject }) => subject === "A sign-in method was removed")
        expect(told).toHaveLength(2)
        expect(told[1]?.text).toContain("/not-me/")
        const { email, password } = user
        const guest = yield* TestApp.guest
        expect((yield* guest.json("POST", "/login", { email, password })).status).toBe(200)
      })
    )

    it.effect("is 1 for an e-mail without an account", () =>
      Effect.gen(function* () {
        expect(yield* Factors.remove("nobody@example.com", false)).toBe(1)
      })
    )
  })
})

import { expect, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { Users } from "../../../src/auth/Users.ts"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Visitor from "../../support/Visitor.ts"

describeDatabases("Register", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("creates the account, signs it in and leads to it with a message", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { answer, person, visitor } = yield* AuthApp.register(app)
        expect(answer.status).toBe(303)
        expect(answer.location).toBe("/account")
        const page = yield* visitor.get("/account")
        expect(page.status).toBe(200)
        expect(page.body).toContain("Account created! Check your inbox for the verification link.")
        expect(page.body).toContain(person.email)
        expect((yield* visitor.get("/account")).body).not.toContain("Account created!")
      })
    )
  })
})

import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { lastLink } from "../../support/MailedLinks.ts"
import * as Visitor from "../../support/Visitor.ts"

const fresh = "a brand new password"

describeDatabases("PasswordChange", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("changes the password, keeps this session under a new id and ends all others", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person, visitor } = yield* AuthApp.register()
        const { visitor: elsewhere } = yield* AuthApp.signIn(person)
        const { visitor: trusted } = yield* AuthApp.signIn(person, { remember: "1" })
        const before = visitor.jar.get("session") ?? ""
        expect((yield* visitor.get("/password")).status).toBe(200)
        const form = { current: person.password, password: fresh, password_confirmation: fresh }
        expect(yield* visitor.submit("/password", form)).toMatchObject({ status: 303, location: "/account" })
        expect(visitor.jar.get("session")).not.toBe(before)
        expect(yield* visitor.read("/account")).toContain("Password changed. Other devices were signed out.")
        expect((yield* elsewhere.get("/account")).location).toBe("/login")
        expect((yield* trusted.get("/account")).location).toBe("/login")
        const thief = Visitor.make(app.url)
        thief.jar.set("session", before)
        expect((yield* thief.get("/account")).location).toBe("/login")
        expect((yield* AuthApp.signIn(person)).response.status).toBe(401)
        expect((yield* AuthApp.signIn({ ...person, password: fresh })).response.status).toBe(303)
      })
    )

    it.effect("ends every link of the account", () =>
      Effect.gen(function* () {
        const { person, visitor } = yield* AuthApp.register()
        const recovery = yield* AuthApp.recoveryLink(person.email)
        const verification = yield* lastLink(person.email, "/verify")
        yield* visitor.json("POST", "/password", { current: person.password, password: fresh })
        expect((yield* visitor.json("GET", recovery)).status).toBe(410)
        expect((yield* visitor.json("GET", verification)).status).toBe(410)
      })
    )

    it.effect("refuses a wrong current password, and keeps the old one", () =>
      Effect.gen(function* () {
        const { person, visitor } = yield* AuthApp.register()
        yield* visitor.get("/password")
        const refused = yield* visitor.submit("/password", { current: "not this", password: fresh })
        expect(refused.status).toBe(422)
        expect(refused.body).toContain('id="current-error">Current password is incorrect.</p>')
        expect(refused.body).not.toContain(fresh)
        expect(yield* visitor.json("POST", "/password", { current: "not this", password: fresh })).toMatchObject({
          status: 422,
          json: {
            error: "Current password is incorrect.",
            fields: { current: "Current password is incorrect." }
          }
        })
        expect((yield* AuthApp.signIn(person)).response.status).toBe(303)
      })
    )

    it.effect("holds the new password to the rules", () =>
      Effect.gen(function* () {
        const { person, visitor } = yield* AuthApp.register()
        const current = person.password
        const fields = Effect.fnUntraced(function* (form: Readonly<Record<string, string>>) {
          const { json } = yield* visitor.json("POST", "/password", { current, ...form })
          return json
        })
        expect(yield* fields({ password: "short" })).toMatchObject({
          fields: { password: "Use at least 8 characters." }
        })
        expect(yield* fields({ password: person.email.toUpperCase() })).toMatchObject({
          fields: { password: "Use something other than your e-mail address." }
        })
        expect(yield* fields({ password: fresh, password_confirmation: "another" })).toMatchObject({
          fields: { password_confirmation: "The two passwords differ." }
        })
      })
    )

    it.effect("is for those who are signed in", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const guest = Visitor.make(app.url)
        expect((yield* guest.get("/password")).location).toBe("/login")
        expect((yield* guest.json("POST", "/password", { current: "x", password: fresh })).status).toBe(401)
      })
    )

    it.effect("lets 5 in 60 s from one address, counted after the guard", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person, visitor } = yield* AuthApp.register()
        const guest = Visitor.make(app.url, visitor.address)
        for (let count = 0; count < 6; count++) expect((yield* guest.json("POST", "/password")).status).toBe(401)
        for (let count = 0; count < 5; count++) expect((yield* visitor.json("POST", "/password")).status).toBe(422)
        const refused = yield* visitor.json("POST", "/password", { current: person.password, password: fresh })
        expect(refused.status).toBe(429)
        expect(refused.headers.get("retry-after")).toBe("60")
      })
    )
  })
})

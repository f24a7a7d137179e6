import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Visitor from "../../support/Visitor.ts"

describeDatabases("Logout", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("ends the session for anyone else with its cookie, and redirects to the sign-in page", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { visitor } = yield* AuthApp.register()
        yield* visitor.get("/account")
        const copy = Visitor.make(app.url)
        copy.jar.set("session", visitor.jar.get("session") ?? "")
        expect((yield* copy.get("/account")).status).toBe(200)
        expect(yield* visitor.submit("/logout", {})).toMatchObject({ status: 303, location: "/login" })
        expect(yield* visitor.read("/login")).toContain("Signed out.")
        expect((yield* visitor.get("/account")).location).toBe("/login")
        expect((yield* copy.get("/account")).location).toBe("/login")
      })
    )

    it.effect("drops this device's series and cookie, and no other device", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* AuthApp.register()
        const { visitor: here } = yield* AuthApp.signIn(person, { remember: "1" })
        const { visitor: there } = yield* AuthApp.signIn(person, { remember: "1" })
        const series = here.jar.get("remember") ?? ""
        yield* here.get("/account")
        const response = yield* here.submit("/logout", {})
        expect(response.cookies).toContain("remember=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax")
        const copy = Visitor.make(app.url)
        copy.jar.set("remember", series)
        expect((yield* copy.get("/account")).location).toBe("/login")
        there.jar.delete("session")
        expect((yield* there.get("/account")).status).toBe(200)
      })
    )

    it.effect("redirects a guest to the sign-in page without a message, and a JSON client gets 401", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const guest = Visitor.make(app.url)
        yield* guest.get("/login")
        expect(yield* guest.submit("/logout", {})).toMatchObject({ status: 303, location: "/login" })
        expect(yield* guest.read("/login")).not.toContain("Signed out.")
        expect((yield* guest.json("POST", "/logout")).status).toBe(401)
      })
    )

    it.effect("tells a program that it is done", () =>
      Effect.gen(function* () {
        const { visitor } = yield* AuthApp.register()
        expect(yield* visitor.json("POST", "/logout")).toMatchObject({ status: 200, json: { message: "Signed out." } })
        expect((yield* visitor.json("GET", "/account")).status).toBe(401)
      })
    )

    it.effect("refuses GET: an image on another page must not sign anyone out", () =>
      Effect.gen(function* () {
        const { visitor } = yield* AuthApp.register()
        expect((yield* visitor.get("/logout")).status).toBe(405)
        expect((yield* visitor.get("/account")).status).toBe(200)
      })
    )
  })
})

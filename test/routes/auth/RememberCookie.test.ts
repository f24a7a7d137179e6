// Where a browser sends the remember cookie is a setting; its flags are none.
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"

const line = (cookies: ReadonlyArray<string>) => cookies.find((cookie) => cookie.startsWith("remember="))

describeDatabases("The remember cookie", (database) => {
  layer(AuthApp.layer(database, { values: { rememberPath: "/account", rememberDomain: "example.com" } }))((it) => {
    it.effect("has the path and the domain of the settings when it is set, rotated and cleared", () =>
      Effect.gen(function* () {
        const { person } = yield* AuthApp.register()
        const scope = "Path=/account; Domain=example.com; Secure; HttpOnly; SameSite=Lax"
        const { response, visitor } = yield* AuthApp.signIn(person, { remember: "1" })
        expect(line(response.cookies)).toMatch(new RegExp(`^remember=[0-9a-f.]{81}; Max-Age=2592000; ${scope}$`))
        visitor.jar.delete("session")
        const old = visitor.jar.get("remember") ?? ""
        const resumed = yield* visitor.get("/account")
        expect(resumed.status).toBe(200)
        expect(line(resumed.cookies)).toMatch(new RegExp(`^remember=[0-9a-f.]{81}; Max-Age=2592000; ${scope}$`))
        expect(visitor.jar.get("remember")).not.toBe(old)
        const left = yield* visitor.submit("/logout", {})
        expect(line(left.cookies)).toBe(`remember=; Max-Age=0; ${scope}`)
      })
    )
  })

  layer(AuthApp.layer(database))((it) => {
    it.effect("is for the whole of the host that sets it unless told otherwise", () =>
      Effect.gen(function* () {
        const { person } = yield* AuthApp.register()
        const { response } = yield* AuthApp.signIn(person, { remember: "1" })
        expect(line(response.cookies)).toMatch(/; Max-Age=2592000; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
      })
    )
  })
})

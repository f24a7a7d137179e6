import { expect, layer } from "@effect/vitest"
import { Effect, Option, Schema, TestClock } from "effect"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Visitor from "../../support/Visitor.ts"

const Device = Schema.Struct({ address: Schema.String, userAgent: Schema.String })
const Account = Schema.Struct({
  sessions: Schema.Array(Schema.Struct({ handle: Schema.String, device: Device, current: Schema.Boolean })),
  devices: Schema.Array(Schema.Struct({ selector: Schema.String, device: Device, current: Schema.Boolean }))
})

const listed = (visitor: Visitor.Visitor) =>
  Effect.flatMap(visitor.json("GET", "/account"), ({ json }) => Schema.decodeUnknown(Account)(json))

describeDatabases("Account", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("redirects a guest to the sign-in page with a message, and a JSON client gets 401", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const guest = Visitor.make(app.url)
        expect(yield* guest.get("/account")).toMatchObject({ status: 303, location: "/login" })
        expect(yield* guest.read("/login")).toContain("Sign in to continue.")
        const told = yield* guest.json("GET", "/account")
        expect(told).toMatchObject({ status: 401, json: { error: expect.any(String) } })
        expect(told.location).toBeUndefined()
      })
    )

    it.effect("shows the e-mail, and a button to send the message again until it is verified", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person, visitor } = yield* AuthApp.register()
        const before = yield* visitor.read("/account")
        expect(before).toContain(person.email)
        expect(before).toContain("Resend verification link")
        expect(before).not.toContain("verified")
        yield* visitor.get(yield* app.linkTo(person.email))
        yield* visitor.get("/account")
        const after = yield* visitor.read("/account")
        expect(after).toContain("verified")
        expect(after).not.toContain("Resend verification link")
      })
    )

    it.effect("leads to an identity at a provider that the program no longer has, and counts it as no way in", () =>
      Effect.gen(function* () {
        const { person, visitor } = yield* AuthApp.register()
        expect(yield* visitor.read("/account")).not.toContain("Linked accounts")
        const { id } = Option.getOrThrow(yield* Effect.flatMap(Users, ({ fetch }) => fetch(person.email)))
        const identities = yield* LinkedIdentities
        const given = { issuer: "https://gone.example.com", subject: id, provider: "gone", label: "Ann" }
        const { handle } = yield* identities.link(id, given)
        expect(yield* visitor.read("/account")).toMatch(/Linked accounts\s+none\s+Manage/)
        yield* visitor.get("/account/identities")
        yield* visitor.submit("/account/identities/remove", { handle })
        expect(yield* identities.list(id)).toEqual([])
      })
    )

    it.effect("is kept by no cache and named to no other site", () =>
      Effect.gen(function* () {
        const { visitor } = yield* AuthApp.register()
        for (const path of ["/account", "/password", "/forgot"]) {
          const { headers } = yield* visitor.get(path)
          expect(headers.get("cache-control")).toBe("no-store")
          expect(headers.get("referrer-policy")).toBe("same-origin")
        }
      })
    )

    it.effect("lists sessions and trusted devices with when and where, this one first and marked", () =>
      Effect.gen(function* () {
        const { person, visitor } = yield* AuthApp.register()
        const { visitor: other } = yield* AuthApp.signIn(person, { remember: "1" })
        yield* TestClock.adjust("65 minutes")
        const page = yield* visitor.read("/account")
        expect(page).toContain(`${visitor.address} · active now`)
        expect(page).toContain(`${other.address} · last seen 1 hour ago · signed in 1 hour ago`)
        expect(page).toContain(`${other.address} · last seen 1 hour ago · trusted 1 hour ago`)
        const mine = yield* listed(visitor)
        expect(mine.sessions.map(({ current, device }) => [device.address, current])).toEqual([
          [visitor.address, true],
          [other.address, false]
        ])
        expect(mine.devices.map(({ current }) => current)).toEqual([false])
        expect((yield* listed(other)).devices.map(({ current }) => current)).toEqual([true])
      })
    )

    it.effect("shows no id, validator or digest that would open anything", () =>
      Effect.gen(function* () {
        const { person } = yield* AuthApp.register()
        const { visitor } = yield* AuthApp.signIn(person, { remember: "1" })
        const [, validator = "?"] = (visitor.jar.get("remember") ?? "").split(".")
        const { body } = yield* visitor.get("/account")
        const told = yield* visitor.json("GET", "/account")
        for (const text of [body, told.body]) {
          expect(text).not.toContain(visitor.jar.get("session") ?? "?")
          expect(text).not.toContain(validator)
          expect(text).not.toMatch(/[0-9a-f]{64}/)
        }
      })
    )

    it.effect("signs one session out", () =>
      Effect.gen(function* () {
        const { person, visitor } = yield* AuthApp.register()
        const { visitor: other } = yield* AuthApp.signIn(person)
        const { visitor: third } = yield* AuthApp.signIn(person)
        const { sessions } = yield* listed(visitor)
        const handle = sessions.find(({ device }) => device.address === other.address)?.handle ?? ""
        yield* visitor.get("/account")
        expect(yield* visitor.submit("/account/sessions", { handle })).toMatchObject({ location: "/account" })
        expect(yield* visitor.read("/account")).toContain("That session was signed out.")
        expect((yield* other.get("/account")).location).toBe("/login")
        expect((yield* third.get("/account")).status).toBe(200)
      })
    )

    it.effect("forgets one trusted device", () =>
      Effect.gen(function* () {
        const { person, visitor } = yield* AuthApp.register()
        const { visitor: other } = yield* AuthApp.signIn(person, { remember: "1" })
        const selector = (yield* listed(visitor)).devices[0]?.selector ?? ""
        yield* visitor.get("/account")
        expect(yield* visitor.submit("/account/devices", { selector })).toMatchObject({ location: "/account" })
        other.jar.delete("session")
        expect((yield* other.get("/account")).location).toBe("/login")
      })
    )

    it.effect("signs all others out and keeps this device trusted", () =>
      Effect.gen(function* () {
        const { person } = yield* AuthApp.register()
        const { visitor } = yield* AuthApp.signIn(person, { remember: "1" })
        const { visitor: other } = yield* AuthApp.signIn(person, { remember: "1" })
        yield* visitor.get("/account")
        expect(yield* visitor.submit("/account/others", {})).toMatchObject({ location: "/account" })
        expect(yield* visitor.read("/account")).toContain("All other devices were signed out.")
        expect((yield* other.get("/account")).location).toBe("/login")
        visitor.jar.delete("session")
        expect((yield* visitor.get("/account")).status).toBe(200)
      })
    )

    it.effect("spares no device that a forged cookie merely names", () =>
      Effect.gen(function* () {
        const { person, visitor } = yield* AuthApp.register()
        const { visitor: other } = yield* AuthApp.signIn(person, { remember: "1" })
        const [selector = ""] = (other.jar.get("remember") ?? "").split(".")
        visitor.jar.set("remember", `${selector}.${"0".repeat(64)}`)
        yield* visitor.get("/account")
        yield* visitor.submit("/account/others", {})
        other.jar.delete("session")
        expect((yield* other.get("/account")).location).toBe("/login")
      })
    )

    it.effect("changes no session or device of another account", () =>
      Effect.gen(function* () {
        const { person: victim } = yield* AuthApp.register()
        const { visitor: theirs } = yield* AuthApp.signIn(victim, { remember: "1" })
        const { devices, sessions } = yield* listed(theirs)
        const { visitor } = yield* AuthApp.register()
        for (const { handle } of sessions) yield* visitor.json("POST", "/account/sessions", { handle })
        for (const { selector } of devices) yield* visitor.json("POST", "/account/devices", { selector })
        yield* visitor.json("POST", "/account/others")
        expect((yield* theirs.get("/account")).status).toBe(200)
        theirs.jar.delete("session")
        expect((yield* theirs.get("/account")).status).toBe(200)
      })
    )

    it.effect("lets only those who are signed in sign anyone out", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const guest = Visitor.make(app.url)
        for (const path of ["/account/sessions", "/account/devices", "/account/others"]) {
          expect((yield* guest.json("POST", path)).status).toBe(401)
        }
      })
    )
  })
})

describeDatabases("The first page", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("describes the program and links to its pages, without a cookie", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { body, cookies, status } = yield* Visitor.make(app.url).get("/")
        expect(status).toBe(200)
        expect(cookies).toEqual([])
        for (const path of ["/login", "/register", "/articles", "/metrics"]) expect(body).toContain(`href="${path}"`)
      })
    )

    it.effect("redirects a signed-in user to the account", () =>
      Effect.gen(function* () {
        const { visitor } = yield* AuthApp.register()
        expect(yield* visitor.get("/")).toMatchObject({ status: 303, location: "/account" })
      })
    )
  })
})

// What a person is told by e-mail, and "this was not me".
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, TestClock, Option } from "effect"
import * as ApiScopes from "../../../src/auth/ApiScopes.ts"
import { Users } from "../../../src/auth/Users.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import { CapturedMail } from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import { lastLink, linksTo } from "../../support/MailedLinks.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"
import * as Visitor from "../../support/Visitor.ts"

const scopes = ApiScopes.make({ "notes:read": "Read your notes" })

const confirmation = "Confirm your e-mail address"

const subjects = Effect.fnUntraced(function* (email: string) {
  const app = yield* AuthApp.AuthApp
  return (yield* app.messagesTo(email)).map(({ subject }) => subject)
})

const allNotMe = (email: string) => linksTo(email, "/not-me")

const notMe = (email: string) => lastLink(email, "/not-me")

/** Somebody who has signed up and proved the address: no other one is told. */
const proved = Effect.gen(function* () {
  const registered = yield* AuthApp.register()
  const users = yield* Users
  const { id } = Option.getOrThrow(yield* users.fetch(registered.person.email))
  yield* users.confirm(id)
  return registered
})

describeDatabases("A message", (database) => {
  layer(AuthApp.layer(database, { scopes }))((it) => {
    it.effect("follows a sign-in from a new place, once for each place", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person, visitor } = yield* proved
        yield* visitor.get("/account")
        yield* visitor.submit("/logout", {})
        yield* visitor.get("/login")
        yield* visitor.submit("/login", { ...person })
        expect(yield* subjects(person.email)).toEqual([confirmation])
        const { visitor: other } = yield* AuthApp.signIn(person)
        expect(yield* subjects(person.email)).toEqual([confirmation, "New sign-in to your account"])
        const [, message] = yield* app.messagesTo(person.email)
        expect(message?.text).toContain(other.address)
        expect(message?.html).toContain("This was not me")
        // The same browser without its cookies, and with them from elsewhere.
        const bare = Visitor.make(app.url, other.address)
        yield* bare.get("/login")
        yield* bare.submit("/login", { ...person })
        const moved = Visitor.make(app.url)
        moved.jar.set("known_device", other.jar.get("known_device") ?? "")
        yield* moved.get("/login")
        yield* moved.submit("/login", { ...person })
        expect((yield* subjects(person.email)).length).toBe(2)
      })
    )

    it.effect("goes to no address that nobody has proved", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person, visitor } = yield* AuthApp.register()
        yield* AuthApp.signIn(person)
        const password = "another harbour 7"
        yield* visitor.get("/password")
        yield* visitor.submit("/password", { current: person.password, password, password_confirmation: password })
        yield* app.settled
        expect(yield* subjects(person.email)).toEqual([confirmation])
      })
    )

    it.effect("holds no host that the client named itself after", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* proved
        const visitor = Visitor.make(app.url)
        visitor.headers.set("user-agent", "www.evil.example/1.0 <b>")
        yield* visitor.get("/login")
        yield* visitor.submit("/login", { ...person })
        const [, message] = yield* app.messagesTo(person.email)
        expect(message?.text).toContain("www evil example at ")
        expect(`${message?.text} ${message?.html}`).not.toMatch(/evil\.example/)
      })
    )

    it.effect("does not follow a failed sign-in", () =>
      Effect.gen(function* () {
        const { person } = yield* proved
        yield* AuthApp.signIn({ ...person, password: "not this password" })
        expect(yield* subjects(person.email)).toEqual([confirmation])
      })
    )

    it.effect("follows sign-ins that come together from one new place", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* proved
        const from = Visitor.make(app.url).address
        const thieves = [Visitor.make(app.url, from), Visitor.make(app.url, from), Visitor.make(app.url, from)]
        for (const thief of thieves) yield* thief.get("/login")
        yield* Effect.forEach(thieves, (thief) => thief.submit("/login", { ...person }), { concurrency: "unbounded" })
        expect(yield* subjects(person.email)).toEqual([confirmation, "New sign-in to your account"])
      })
    )

    it.effect("follows a change and a reset of the password, in the language of the request", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person, visitor } = yield* proved
        const password = "another quiet harbour"
        yield* visitor.json("POST", "/password", { current: person.password, password })
        expect(yield* subjects(person.email)).toEqual([confirmation, "Your password was changed"])
        const link = yield* AuthApp.recoveryLink(person.email)
        yield* Visitor.make(app.url).json("POST", link, { password: "third quiet harbour" })
        expect((yield* subjects(person.email)).slice(2)).toEqual(["Choose a new password", "Your password was reset"])
      })
    )

    it.effect("follows a new API token and renewed recovery codes", () =>
      Effect.gen(function* () {
        const { person, visitor } = yield* proved
        yield* visitor.get(yield* lastLink(person.email, "/verify"))
        const token = { name: "Backup", scopes: "notes:read", days: "30", current: person.password }
        yield* visitor.get("/account/tokens")
        yield* visitor.submit("/account/tokens", token)
        yield* FactorApp.enrol(person)
        yield* visitor.get("/account/factors")
        yield* visitor.submit("/account/factors/recovery-codes", {})
        expect((yield* subjects(person.email)).slice(1)).toEqual([
          "A new API token was created",
          "New recovery codes were made"
        ])
      })
    )

    it.effect("follows a theft, once", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person, visitor } = yield* proved
        yield* visitor.get("/account")
        yield* visitor.submit("/logout", {})
        yield* visitor.get("/login")
        yield* visitor.submit("/login", { ...person, remember: "1" })
        const stolen = visitor.jar.get("remember") ?? ""
        visitor.jar.delete("session")
        const resumed = yield* Effect.fork(visitor.get("/account"))
        yield* Effect.repeat(TestClock.adjust("250 millis"), {
          until: () => visitor.jar.get("remember") !== stolen
        })
        yield* resumed
        const thief = Visitor.make(app.url)
        thief.jar.set("remember", stolen)
        yield* thief.get("/account")
        thief.jar.set("remember", stolen)
        yield* thief.get("/account")
        expect(yield* subjects(person.email)).toEqual([confirmation, "Your account was used from a copied cookie"])
      })
    )

    it.effect("has a link whose page changes nothing until its button is pressed, once", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person, visitor: owner } = yield* proved
        const token = { name: "Backup", scopes: ["notes:read"], current: person.password }
        expect((yield* owner.json("POST", "/account/tokens", token)).status).toBe(201)
        const { visitor: thief } = yield* AuthApp.signIn(person, { remember: "1" })
        const link = yield* notMe(person.email)
        const scanner = Visitor.make(app.url)
        for (const method of ["GET", "HEAD", "GET"]) {
          expect((yield* scanner.request(link, { method })).status).toBe(200)
        }
        expect((yield* thief.get("/account")).status).toBe(200)

        const reader = Visitor.make(app.url)
        const page = yield* reader.get(link)
        expect(page.text).toContain("This was not me")
        expect(page.headers.get("cache-control")).toContain("no-store")
        expect(page.headers.get("referrer-policy")).toMatch(/no-referrer|same-origin/)
        const done = yield* reader.submit(link, {})
        expect(done).toMatchObject({ status: 303, location: "/login" })
        expect(yield* reader.read("/login")).toContain("Every device was signed out.")

        for (const visitor of [thief, owner]) expect((yield* visitor.get("/account")).location).toBe("/login")
        expect((yield* AuthApp.signIn(person)).response.status).toBe(401)
        expect(yield* reader.submit(link, {})).toMatchObject({ location: "/forgot" })
        expect((yield* reader.get(link)).location).toBe("/forgot")

        const reset = yield* app.linkTo(person.email)
        expect(reset).toMatch(/^\/reset\//)
        const password = "another quiet harbour"
        expect((yield* reader.json("POST", reset, { password })).status).toBe(200)
        const { visitor: again } = yield* AuthApp.signIn({ ...person, password })
        const activity = yield* again.read("/account/activity")
        expect(activity).toContain("Reported as “This was not me”.")
        expect(yield* again.read("/account/tokens")).toContain("You have no API tokens.")
      })
    )

    it.effect("has a link that ends the session of the browser that uses it", () =>
      Effect.gen(function* () {
        const { person, visitor } = yield* proved
        yield* visitor.json("POST", "/password", { current: person.password, password: "another quiet harbour" })
        const link = yield* notMe(person.email)
        yield* visitor.get(link)
        expect((yield* visitor.submit(link, {})).location).toBe("/login")
        expect(yield* visitor.read("/login")).toContain("Every device was signed out.")
        expect((yield* visitor.get("/account")).location).toBe("/login")
      })
    )

    it.effect("has a link that newer messages and a new password leave valid, and that makes theirs harmless", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person, visitor: owner } = yield* proved
        const { visitor: thief } = yield* AuthApp.signIn(person)
        const password = "the thief's own harbour"
        yield* thief.json("POST", "/password", { current: person.password, password })
        const { visitor: another } = yield* AuthApp.signIn({ ...person, password })
        const [first = "", ...newer] = yield* allNotMe(person.email)
        expect(newer.length).toBeGreaterThanOrEqual(1)
        const reader = Visitor.make(app.url)
        yield* reader.get(first)
        expect((yield* reader.submit(first, {})).location).toBe("/login")
        for (const visitor of [owner, thief, another]) expect((yield* visitor.get("/account")).location).toBe("/login")
        const { length } = yield* app.messagesTo(person.email)
        for (const link of [first, ...newer]) {
          expect((yield* Visitor.make(app.url).get(link)).location).toBe("/forgot")
        }
        expect((yield* app.messagesTo(person.email)).length).toBe(length)
      })
    )

    it.effect("has a link that works as long as it says, though an older one has expired", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* proved
        yield* AuthApp.signIn(person)
        yield* TestClock.adjust("4 days")
        yield* AuthApp.signIn(person)
        const [first = "", second = ""] = yield* allNotMe(person.email)
        yield* TestClock.adjust("4 days")
        const statuses = yield* Effect.forEach([first, second], (link) =>
          Effect.map(Visitor.make(app.url).get(link), ({ status }) => status)
        )
        expect(statuses).toEqual([303, 200])
      })
    )

    it.effect("has a link that needs the form's token, works for seven days and for nothing else", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person, visitor } = yield* proved
        yield* AuthApp.signIn(person)
        const link = yield* notMe(person.email)
        expect((yield* Visitor.make(app.url).request(link, { form: {} })).status).toBe(403)
        const half = link.slice(0, -1)
        for (const wrong of [
          `${half}x`,
          `${half}${link.endsWith("0") ? "1" : "0"}`,
          link.replace("/not-me/", "/reset/")
        ]) {
          expect((yield* Visitor.make(app.url).get(wrong)).location, wrong).toBe("/forgot")
        }
        expect((yield* Visitor.make(app.url).get(link)).status).toBe(200)
        yield* TestClock.adjust("8 days")
        expect((yield* Visitor.make(app.url).get(link)).location).toBe("/forgot")
        expect(visitor.address).not.toBe("")
      })
    )
  })

  layer(AuthApp.layer(database, { values: { notifications: false } }))((it) => {
    it.effect("is not sent where the operator has switched them off", () =>
      Effect.gen(function* () {
        const { person } = yield* proved
        yield* AuthApp.signIn(person)
        expect(yield* subjects(person.email)).toEqual([confirmation])
      })
    )
  })
})

/** What happens between a response and the work after it. */
let meanwhile: Effect.Effect<unknown> = Effect.void

const delayed = Layer.effect(
  AfterResponse,
  Effect.map(AfterResponse, ({ run }) =>
    AfterResponse.of({
      run: (work) =>
        run(
          Effect.zipRight(
            Effect.suspend(() => meanwhile),
            work
          )
        )
    })
  )
)

describeDatabases("A message that is sent late", (database) => {
  layer(TestApp.layer([], { environment: "production", database: database.layer, services: delayed }))((it) => {
    it.effect("goes to the address that the account had when it happened", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const { messagesTo } = yield* CapturedMail
        const browser = yield* TestApp.signedInUser()
        const { email, id } = browser.user
        meanwhile = Effect.orDie(users.changeEmail(id, `thief-of-${email}`))
        yield* PasskeyUser.add(browser)
        expect((yield* messagesTo(email)).map(({ subject }) => subject)).toEqual(["A sign-in method was added"])
        expect(yield* messagesTo(`thief-of-${email}`)).toEqual([])
      })
    )
  })
})

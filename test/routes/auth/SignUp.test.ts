// Sign-up with the program's own fields, over real sockets, in every kind of table.
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { Users } from "../../../src/auth/Users.ts"
import { CapturedExceptions } from "../../../testing/CapturedExceptions.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { Customer, describeProfiles, layer as profileApp } from "../../support/ProfileApp.ts"

const password = "quiet harbour"

let count = 0
const newEmail = () => `customer-${++count}@example.com`

const person = (more: Readonly<Record<string, string>> = {}) => ({
  display_name: "Ann",
  email: newEmail(),
  password,
  password_confirmation: password,
  ...more
})

const accounts = (email: string) => Effect.flatMap(Users, ({ fetch }) => fetch(email))

describeProfiles("a profile", (variant) => {
  layer(profileApp(variant))((it) => {
    it.effect("is stored with the account, typed in a handler, on the account page and in the layout", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        const form = person({ display_name: "  Ann <b> ", colour: "red" })
        expect(yield* guest.submit("/register", form)).toMatchObject({ status: 303, location: "/account" })
        expect((yield* guest.get("/greeting")).body).toBe("Ann <b>, member")
        const page = yield* guest.get("/account")
        expect(page.body).toContain("<dt>Display name</dt>")
        expect(page.body).toContain('<dd class="long">Ann &lt;b&gt;</dd>')
        expect(page.text).toContain("Colour Red Role Member")
        expect(page.body).toContain('<a href="/account">Ann &lt;b&gt;</a>')
        expect(page.text).not.toContain("points")
        const account = yield* guest.json("GET", "/account")
        expect(account.json).toMatchObject({
          email: form.email,
          profile: { display_name: "Ann <b>", colour: "red", role: "member", is_vip: false, points: 0 }
        })
      })
    )

    it.effect("is taken from JSON, and answered with the account", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        const email = newEmail()
        const made = yield* guest.json("POST", "/register", { email, password, display_name: "Bob" })
        expect(made.status).toBe(201)
        expect(made.json).toMatchObject({ email, verified: false, profile: { display_name: "Bob", role: "member" } })
        const [identity] = Option.toArray(yield* accounts(email))
        expect(identity && (yield* Customer.find(identity.id))).toEqual(
          Option.some({ display_name: "Bob", role: "member", is_vip: false, points: 0 })
        )
      })
    )

    it.effect("has no field that a visitor may not choose, by form and by JSON", () =>
      Effect.gen(function* () {
        const attack = { role: "admin", is_vip: "1", points: "1000000", user_id: "1", id: "1", email_verified_at: "1" }
        const byForm = yield* TestApp.guest
        expect((yield* byForm.submit("/register", person(attack))).status).toBe(303)
        const byJson = yield* TestApp.guest
        const json = { ...person(), ...attack, profile: { role: "admin" }, is_vip: true, points: 1_000_000 }
        expect((yield* byJson.json("POST", "/register", json)).status).toBe(201)
        for (const guest of [byForm, byJson]) {
          expect((yield* guest.json("GET", "/account")).json).toMatchObject({
            verified: false,
            profile: { role: "member", is_vip: false, points: 0 }
          })
          expect((yield* guest.get("/admin")).status).toBe(403)
        }
      })
    )

    it.effect("is refused with the built-in fields, each error beside its field, and what was sent is kept", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        const form = person({ display_name: "A name of more than 20 characters", password: "short", colour: "blue" })
        const refused = yield* guest.submit("/register", form)
        expect(refused.status).toBe(422)
        expect(refused.body).toContain('<p class="error" id="display_name-error">Use at most 20 characters.</p>')
        expect(refused.body).toContain('<p class="error" id="password-error">Use at least 8 characters.</p>')
        expect(refused.body).toContain('value="A name of more than 20 characters"')
        expect(refused.body).toContain('<option value="blue" selected>Blue</option>')
        expect(refused.body).toContain(`value="${form.email}"`)
        const empty = yield* guest.json("POST", "/register", {})
        expect(empty.json).toMatchObject({
          fields: { email: "Enter your e-mail address.", display_name: "Enter a name.", password: expect.any(String) }
        })
        const wrong = yield* guest.json("POST", "/register", { ...person(), colour: "green" })
        expect(wrong).toMatchObject({ status: 422, json: { fields: { colour: expect.any(String) } } })
        expect(Option.isNone(yield* accounts(form.email))).toBe(true)
      })
    )

    it.effect("is refused where no database could store it", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        for (const display_name of ["a\0b", "a\ud800b"]) {
          const refused = yield* guest.json("POST", "/register", person({ display_name }))
          expect(refused).toMatchObject({ status: 422, json: { fields: { display_name: expect.any(String) } } })
        }
      })
    )

    it.effect("may lack what is optional", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        expect((yield* guest.submit("/register", person({ colour: "" }))).status).toBe(303)
        const page = yield* guest.get("/account")
        expect(page.text).not.toContain("Colour")
        expect((yield* guest.json("GET", "/account")).json).toMatchObject({ profile: { display_name: "Ann" } })
      })
    )

    it.effect("leaves no account behind when it cannot be stored", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        const form = person({ display_name: "Nobody" })
        const before = (yield* Effect.flatMap(CapturedExceptions, ({ reported }) => reported)).length
        expect((yield* guest.submit("/register", form)).status).toBe(500)
        expect(Option.isNone(yield* accounts(form.email))).toBe(true)
        expect((yield* Effect.flatMap(CapturedExceptions, ({ reported }) => reported)).length).toBe(before + 1)
        expect((yield* guest.get("/greeting")).location).toBe("/login")
        expect((yield* guest.submit("/register", { ...form, display_name: "Somebody" })).status).toBe(303)
      })
    )

    it.effect("is refused where another account has it, with the field that is taken", () =>
      Effect.gen(function* () {
        const form = person({ display_name: "Only Ann" })
        expect((yield* (yield* TestApp.guest).submit("/register", form)).status).toBe(303)
        const before = (yield* Effect.flatMap(CapturedExceptions, ({ reported }) => reported)).length
        const second = { ...form, email: newEmail() }
        const guest = yield* TestApp.guest
        const page = yield* guest.submit("/register", second)
        expect([page.status, page.text]).toEqual([
          422,
          expect.stringContaining("This is already taken. Choose another.")
        ])
        expect(page.body).toContain('value="Only Ann"')
        expect(page.body).not.toContain(form.email)
        const taken = "This is already taken. Choose another."
        const json = yield* guest.json("POST", "/register", second)
        expect(json).toMatchObject({ status: 422, json: { error: taken, fields: { display_name: taken } } })
        expect((yield* Effect.flatMap(CapturedExceptions, ({ reported }) => reported)).length).toBe(before)
        expect(Option.isNone(yield* accounts(second.email))).toBe(true)
        expect((yield* guest.get("/greeting")).location).toBe("/login")
        expect((yield* guest.submit("/register", { ...second, display_name: "Only Bea" })).status).toBe(303)
      })
    )

    it.effect("of one name belongs to one of several sign-ups at the same time", () =>
      Effect.gen(function* () {
        const responses = yield* Effect.forEach(
          [1, 2, 3, 4],
          () =>
            Effect.flatMap(TestApp.guest, (guest) =>
              guest.json("POST", "/register", person({ display_name: "Only Carl" }))
            ),
          { concurrency: "unbounded" }
        )
        expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422])
      })
    )

    it.effect("of a registered address is neither shown nor changed by another sign-up", () =>
      Effect.gen(function* () {
        const owner = yield* TestApp.guest
        const form = person({ display_name: "Owner", colour: "red" })
        yield* owner.submit("/register", form)
        const stranger = yield* TestApp.guest
        const refused = yield* stranger.submit("/register", { ...form, display_name: "Stranger", colour: "" })
        expect(refused.status).toBe(422)
        expect(refused.text).toContain("This e-mail is already registered.")
        expect(refused.body).toContain('value="Stranger"')
        expect(refused.body).not.toContain("Owner")
        expect(refused.body).not.toContain("selected")
        // An invalid profile is refused before the address is looked up.
        const invalid = { ...form, display_name: "" }
        const known = yield* stranger.json("POST", "/register", invalid)
        const unknown = yield* stranger.json("POST", "/register", { ...invalid, email: newEmail() })
        expect(known).toMatchObject({ status: 422, body: unknown.body })
        expect((yield* owner.get("/greeting")).body).toBe("Owner, member")
      })
    )

    it.effect("belongs to one of several sign-ups with one address at the same time", () =>
      Effect.gen(function* () {
        const email = newEmail()
        const names = ["One", "Two", "Three", "Four"]
        const responses = yield* Effect.forEach(
          names,
          (display_name) =>
            Effect.flatMap(TestApp.guest, (guest) =>
              Effect.map(guest.json("POST", "/register", { email, password, display_name }), (response) => ({
                display_name,
                status: response.status
              }))
            ),
          { concurrency: "unbounded" }
        )
        const made = responses.filter(({ status }) => status === 201)
        expect(made).toHaveLength(1)
        expect(responses.filter(({ status }) => status === 422)).toHaveLength(3)
        const [identity] = Option.toArray(yield* accounts(email))
        expect(identity && Option.getOrThrow(yield* Customer.find(identity.id)).display_name).toBe(
          made[0]?.display_name
        )
      })
    )

    it.effect("guards a route: 403 in the layout for a page, JSON for an API client, sign-in for a guest", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        expect(yield* guest.get("/admin")).toMatchObject({ status: 303, location: "/login" })
        expect((yield* guest.json("GET", "/admin")).status).toBe(401)
        const profile = { display_name: "Mia", role: "member", is_vip: false, points: 1 }
        const member = yield* TestApp.signedInUser(yield* TestApp.enrolledUser({ profile }))
        const page = yield* member.get("/admin")
        expect(page.status).toBe(403)
        expect(page.text).toContain("403 Forbidden")
        expect(page.body).toContain('<a href="/account">Mia</a>')
        expect(page.headers.get("cache-control")).toBe("no-store")
        expect(yield* member.json("GET", "/admin")).toMatchObject({ status: 403, json: { error: "Forbidden" } })
      })
    )

    it.effect("takes effect with the next request when it changes", () =>
      Effect.gen(function* () {
        const profile = { display_name: "Eve", role: "member", is_vip: true, points: 12 } as const
        const member = yield* TestApp.signedInUser(yield* TestApp.enrolledUser({ profile }))
        expect((yield* member.get("/admin")).status).toBe(403)
        expect(yield* Customer.set(member.user.id, { ...profile, role: "admin" })).toBe(true)
        expect((yield* member.get("/admin")).status).toBe(200)
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE ${sql(variant.stored)} SET role = 'member' WHERE display_name = 'Eve'`
        expect((yield* member.get("/admin")).status).toBe(403)
        expect(yield* Customer.find(member.user.id)).toEqual(Option.some({ ...profile, role: "member" }))
      })
    )
  })
})

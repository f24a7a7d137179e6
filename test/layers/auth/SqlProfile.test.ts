// What sign-up does not show: accounts without a profile, ids that are none, and how often a profile is read.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted, Ref } from "effect"
import * as SqlProfile from "../../../layers/auth/SqlProfile.ts"
import * as Access from "../../../routes/auth/Access.ts"
import * as Page from "../../../routes/session/Page.ts"
import { AccountId, CurrentIdentity } from "../../../src/session/Identity.ts"
import { Profiles } from "../../../src/auth/Profile.ts"
import { html } from "../../../src/http/Html.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { Customer, describeProfiles, layer as profileApp, migrations, variants } from "../../support/ProfileApp.ts"

const profile = { display_name: "Ann", role: "member", is_vip: true, points: 7 } as const

describeProfiles("SqlProfile", (variant) => {
  layer(profileApp(variant))((it) => {
    it.effect("creates an account with its profile, or neither", () =>
      Effect.gen(function* () {
        const password = Redacted.make("quiet harbour")
        const id = yield* Customer.enroll("seed@example.com", password, { ...profile, role: "admin", colour: "blue" })
        expect(yield* Customer.find(id)).toEqual(Option.some({ ...profile, role: "admin", colour: "blue" }))
        const again = yield* Effect.flip(Customer.enroll("seed@example.com", password, profile))
        expect(again._tag).toBe("Duplicate")
        expect(Option.map(yield* Customer.find(id), ({ role }) => role)).toEqual(Option.some("admin"))
      })
    )

    it.effect("finds nothing and changes nothing for an id that is none", () =>
      Effect.gen(function* () {
        for (const id of ["", "abc", "99999999", "\0", "' OR 1 = 1 --", "5f0c4f0e-0000-4000-8000-000000000000"]) {
          expect(yield* Customer.find(AccountId.make(id))).toEqual(Option.none())
          expect(yield* Customer.set(AccountId.make(id), profile)).toBe(false)
        }
      })
    )

    it.effect("refuses a value that is another account's, and changes nothing", () =>
      Effect.gen(function* () {
        const password = Redacted.make("quiet harbour")
        yield* Customer.enroll("dora@example.com", password, { ...profile, display_name: "Only Dora" })
        const taken = { _tag: "ProfileTaken", names: ["display_name"] }
        const again = Customer.enroll("eve@example.com", password, { ...profile, display_name: "Only Dora" })
        expect(yield* Effect.flip(again)).toMatchObject(taken)
        const id = yield* Customer.enroll("eve@example.com", password, { ...profile, display_name: "Only Eve" })
        expect(yield* Effect.flip(Customer.set(id, { ...profile, display_name: "Only Dora" }))).toMatchObject(taken)
        expect(Option.map(yield* Customer.find(id), (found) => found.display_name)).toEqual(Option.some("Only Eve"))
        expect(yield* Customer.set(id, { ...profile, display_name: "Only Eve", points: 8 })).toBe(true)
      })
    )

    it.effect("replaces the whole profile, and removes what is absent", () =>
      Effect.gen(function* () {
        const { id } = yield* TestApp.enrolledUser({ profile: { ...profile, colour: "red" } })
        expect(yield* Customer.set(id, { ...profile, display_name: "Bea" })).toBe(true)
        expect(yield* Customer.find(id)).toEqual(Option.some({ ...profile, display_name: "Bea" }))
      })
    )
  })
})

class Reads extends Context.Tag("test/Reads")<Reads, Ref.Ref<number>>() {}

// The program's profile, with a count of its reads.
const counted = Layer.effect(
  Profiles,
  Effect.gen(function* () {
    const store = yield* Profiles
    const reads = yield* Reads
    return {
      ...store,
      read: (user: AccountId) =>
        Effect.zipRight(
          Ref.update(reads, (n) => n + 1),
          store.read(user)
        )
    }
  })
)

const greeting = Effect.gen(function* () {
  const { display_name } = yield* Customer.current
  const { role } = yield* Customer.current
  return yield* Page.render({ title: "Hello", main: html`<h1>${display_name}, ${role}</h1>` })
})

const rename = Effect.gen(function* () {
  const before = yield* Customer.current
  const { id } = yield* CurrentIdentity
  yield* Customer.set(id, { ...before, display_name: "Bea" })
  return HttpServerResponse.text((yield* Customer.current).display_name)
})

const routes = [
  HttpLayerRouter.route("GET", "/plain", Access.requireUser(HttpServerResponse.text("plain"))),
  HttpLayerRouter.route("GET", "/hello", Access.requireUser(greeting)),
  HttpLayerRouter.route("POST", "/rename", Access.requireUser(rename))
]

for (const variant of variants.slice(0, 1)) {
  const services = counted.pipe(
    Layer.provide(SqlProfile.layer(Customer, variant.profile)),
    Layer.provideMerge(Layer.effect(Reads, Ref.make(0)))
  )
  const app = TestApp.layer(routes, {
    database: variant.database.layerEmpty,
    migrations: migrations(variant),
    services
  })

  layer(app)("the read of a profile", (it) => {
    it.effect("is one for each request that asks for it, and none for any other", () =>
      Effect.gen(function* () {
        const reads = yield* Reads
        const member = yield* TestApp.signedInUser(yield* TestApp.enrolledUser({ profile }))
        const readsOf = (path: string) =>
          Effect.gen(function* () {
            yield* Ref.set(reads, 0)
            expect((yield* member.get(path)).status).toBe(200)
            return yield* Ref.get(reads)
          })
        expect(yield* readsOf("/plain")).toBe(0)
        expect(yield* readsOf("/hello")).toBe(1)
        expect(yield* readsOf("/account")).toBe(1)
        expect((yield* member.submit("/rename", {})).body).toBe("Bea")
      })
    )

    it.effect("of an account without one is 403 in a handler, and no name in the layout", () =>
      Effect.gen(function* () {
        const member = yield* TestApp.signedInUser()
        const page = yield* member.get("/hello")
        expect(page.status).toBe(403)
        expect(page.body).toContain('<a href="/account">Account</a>')
        expect((yield* member.get("/account")).text).not.toContain("Display name")
        expect((yield* member.json("GET", "/account")).json).not.toHaveProperty("profile")
      })
    )
  })
}

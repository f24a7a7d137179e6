import { expect, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import * as CapturedMail from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient } from "../../../testing/TestClient.ts"
import * as TestProvider from "../../../testing/TestProvider.ts"
import { describeDatabases } from "../../support/Databases.ts"

let count = 0
const fresh = () => `subject-${count++}`

/** Sends a form that begins a flow, and comes back from the provider. */
const flow = Effect.fnUntraced(function* (client: TestClient, path: string, claims: Readonly<Record<string, unknown>>) {
  const provider = yield* TestProvider.TestProvider
  const { location = "" } = yield* client.submit(path, {})
  return yield* Effect.flatMap(provider.approve(location, claims), client.get)
})

const link = (client: TestClient, claims: Readonly<Record<string, unknown>>) =>
  flow(client, "/account/identities/link/test", claims)

const handleOf = (user: TestApp.TestUser) =>
  Effect.map(
    Effect.flatMap(LinkedIdentities, ({ list }) => list(user.id)),
    ([one]) => one?.handle ?? ""
  )

describeDatabases("The page of connected accounts", (database) => {
  layer(TestApp.layer([], { database: database.layer, services: TestProvider.layer() }))((it) => {
    it.effect("connects an identity, lists it, tells the owner, and signs in with it", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const ann = yield* TestApp.signedInUser()
        const sub = fresh()
        expect((yield* ann.get("/account")).body).toContain('href="/account/identities"')
        const linked = yield* link(ann, { sub, email: "ann@elsewhere.example" })
        expect(linked.location).toBe("/account/identities")
        const page = yield* ann.get("/account/identities")
        expect(page.text).toContain("Test was connected.")
        expect(page.text).toContain("ann@elsewhere.example")
        expect(page.text).toContain("never used")
        const { messagesTo } = yield* CapturedMail.CapturedMail
        const subjects = (yield* messagesTo(ann.user.email)).map(({ subject }) => subject)
        expect(subjects).toContain("A new way to sign in was connected")
        const other = yield* TestApp.guest
        yield* provider.signIn(other, { sub })
        expect((yield* other.get("/account")).text).toContain(ann.user.email)
      })
    )

    it.effect("disconnects one, which ends the sessions that it began, and no other", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const ann = yield* TestApp.signedInUser()
        const sub = fresh()
        yield* link(ann, { sub })
        const other = yield* TestApp.guest
        yield* provider.signIn(other, { sub }, { remember: "1" })
        const resumed = yield* TestApp.guest
        yield* provider.signIn(resumed, { sub }, { remember: "1" })
        // Its next session is begun by the device that the identity has trusted.
        resumed.jar.delete("session")
        expect((yield* resumed.get("/account")).status).toBe(200)
        yield* ann.submit("/account/identities/remove", { handle: yield* handleOf(ann.user) })
        expect((yield* ann.get("/account/identities")).text).toContain("was disconnected")
        for (const ended of [other, resumed]) expect((yield* ended.get("/account")).location).toBe("/login")
        const { items } = yield* Effect.orDie(Effect.flatMap(SecurityEvents, ({ list }) => list(ann.user.id)))
        expect(items[0]).toMatchObject({ _tag: "IdentityUnlinked", provider: "Test" })
        expect((yield* ann.submit("/account/identities/remove", { handle: "unknown" })).location).toBe(
          "/account/identities"
        )
      })
    )

    it.effect("leaves a session that a device has begun and its owner has confirmed", () =>
      Effect.gen(function* () {
        const ann = yield* TestApp.signedInUser()
        yield* link(ann, { sub: fresh() })
        const { email, password } = ann.user
        const device = yield* TestApp.guest
        yield* device.submit("/login", { email, password, remember: "1" })
        device.jar.delete("session")
        expect((yield* device.get("/account/identities")).location).toBe("/confirm")
        yield* device.submit("/confirm", { current: password })
        yield* device.submit("/account/identities/remove", { handle: yield* handleOf(ann.user) })
        expect((yield* device.get("/account/identities")).text).toContain("was disconnected")
      })
    )

    it.effect("keeps the last way in", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const ann = yield* TestApp.guest
        yield* provider.signIn(ann, { sub: fresh(), email: `${fresh()}@example.com`, auth_time: 1e12 })
        const handle = /name="handle" value="([^"]+)"/.exec((yield* ann.get("/account/identities")).body)?.[1] ?? ""
        yield* ann.submit("/account/identities/remove", { handle })
        expect((yield* ann.get("/account/identities")).text).toContain("your only way to sign in")
      })
    )

    it.effect("needs a recent confirmation, which the provider of an identity can give again", () =>
      Effect.gen(function* () {
        const ann = yield* TestApp.signedInUser()
        const sub = fresh()
        yield* link(ann, { sub })
        yield* TestClock.adjust("11 minutes")
        expect((yield* ann.get("/account/identities")).location).toBe("/confirm")
        expect((yield* ann.get("/confirm")).text).toContain("Confirm with Test")
        const { location = "" } = yield* ann.submit("/confirm/with/test", {})
        const { searchParams } = new URL(location)
        expect([searchParams.get("max_age"), searchParams.get("prompt")]).toEqual(["0", "login"])
        const provider = yield* TestProvider.TestProvider
        const now = Math.floor(Date.now() / 1000)
        const done = yield* Effect.flatMap(provider.approve(location, { sub, auth_time: now }), ann.get)
        expect(done.location).toBe("/account/identities")
        expect((yield* ann.get("/account/identities")).status).toBe(200)
      })
    )

    it.effect("is not confirmed by another identity, by a person who was not asked again, or by another account", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const [ann, bob] = [yield* TestApp.signedInUser(), yield* TestApp.signedInUser()]
        const [sub, other] = [fresh(), fresh()]
        yield* link(ann, { sub })
        yield* link(bob, { sub: other })
        // The clock of the test stands near 1970; the provider tells a time before the flow.
        yield* TestClock.adjust("1 hour")
        yield* flow(ann, "/confirm/with/test", { sub: other, auth_time: 1e12 })
        yield* flow(ann, "/confirm/with/test", { sub, auth_time: 1 })
        yield* flow(ann, "/confirm/with/test", { sub })
        expect((yield* ann.get("/account/identities")).location).toBe("/confirm")
        const { location = "" } = yield* bob.submit("/confirm/with/test", {})
        yield* Effect.flatMap(provider.approve(location, { sub, auth_time: 1e12 }), ann.get)
        expect((yield* ann.get("/account/identities")).location).toBe("/confirm")
        const { items } = yield* Effect.orDie(Effect.flatMap(SecurityEvents, ({ list }) => list(ann.user.id)))
        const failed = items.filter(({ _tag, outcome }) => _tag === "Confirmed" && outcome === "failure")
        expect(failed).toHaveLength(3)
      })
    )

    it.effect("is not there for guests, and a link needs its form", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        expect((yield* guest.get("/account/identities")).location).toBe("/login")
        expect((yield* guest.submit("/account/identities/link/test", {})).location).toBe("/login")
        expect((yield* guest.submit("/confirm/with/test", {})).location).toBe("/login")
        const ann = yield* TestApp.signedInUser()
        expect((yield* ann.request("/account/identities/link/test", { form: {} })).status).toBe(403)
      })
    )
  })
})

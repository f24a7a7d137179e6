// Sign-in with a provider, over real sockets: what follows from who comes back.
import { expect, layer } from "@effect/vitest"
import { Effect, Option, TestClock } from "effect"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as CapturedMail from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as TestProvider from "../../../testing/TestProvider.ts"
import { describeDatabases } from "../../support/Databases.ts"

let count = 0
const fresh = () => `ann-${count++}`

const identitiesOf = Effect.fnUntraced(function* (email: string) {
  const user = yield* Effect.flatMap(Users, (users) => users.fetch(email))
  const { list } = yield* LinkedIdentities
  return Option.isNone(user) ? undefined : (yield* list(user.value.id)).map(({ label }) => label)
})

const eventsOf = Effect.fnUntraced(function* (email: string) {
  const user = Option.getOrThrow(yield* Effect.flatMap(Users, (users) => users.fetch(email)))
  const { items } = yield* Effect.orDie(Effect.flatMap(SecurityEvents, ({ list }) => list(user.id)))
  return items
})

const provider = TestProvider.layer({ authoritativeFor: ["known.example"] })

describeDatabases("A sign-in with a provider", (database) => {
  layer(TestApp.layer([], { database: database.layer, services: provider }))((it) => {
    it.effect("makes an account, unproved, and finds it by issuer and subject the next time", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const sub = fresh()
        const email = `${sub}@example.com`
        const ann = yield* TestApp.guest
        const first = yield* provider.signIn(ann, { sub, email, email_verified: true })
        expect([first.status, first.location]).toEqual([303, "/account"])
        const page = yield* ann.get("/account")
        expect(page.text).toContain(email)
        expect(page.body).toContain('action="/verify"')
        // Whatever the address says then.
        const again = yield* TestApp.guest
        yield* provider.signIn(again, { sub, email: "another@example.com" })
        expect((yield* again.get("/account")).text).toContain(email)
        expect(yield* identitiesOf(email)).toEqual([email])
        const events = (yield* eventsOf(email)).map((event) => (event._tag === "SignedIn" ? event.by : event._tag))
        expect(events).toEqual(["Test", "Test", "IdentityLinked", "SignedUp"])
      })
    )

    it.effect("proves the address of a domain that the provider speaks for", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const email = `${fresh()}@known.example`
        const ann = yield* TestApp.guest
        yield* provider.signIn(ann, { sub: email, email, email_verified: true })
        expect((yield* ann.get("/account")).body).not.toContain('action="/verify"')
      })
    )

    it.effect("asks for an address where there is none, and completes the sign-up with it", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const sub = fresh()
        const ann = yield* TestApp.guest
        const asked = yield* provider.signIn(ann, { sub, preferred_username: "ann" })
        expect(asked.location).toBe("/login/with/test/complete")
        expect((yield* ann.get("/account")).location).toBe("/login")
        expect((yield* ann.submit("/login/with/test/complete", { email: "no address" })).status).toBe(422)
        const email = `${sub}@known.example`
        expect((yield* ann.submit("/login/with/test/complete", { email })).location).toBe("/account")
        // The person has typed it: it is not what the provider said.
        expect((yield* ann.get("/account")).body).toContain('action="/verify"')
        expect(yield* identitiesOf(email)).toEqual(["ann"])
        expect((yield* ann.get("/login/with/test/complete")).location).toBe("/login")
      })
    )

    it.effect("connects to an account with the address after one sign-in to it", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const user = yield* TestApp.enrolledUser()
        const ann = yield* TestApp.guest
        const returned = yield* provider.signIn(ann, { sub: fresh(), email: user.email, email_verified: true })
        expect(returned.location).toBe("/login")
        expect((yield* ann.get("/login")).text).toContain(`Test (${user.email}) will be connected`)
        expect(yield* identitiesOf(user.email)).toEqual([])
        yield* ann.submit("/login", { email: user.email, password: user.password })
        expect(yield* identitiesOf(user.email)).toEqual([user.email])
        const { messagesTo } = yield* CapturedMail.CapturedMail
        const subjects = (yield* messagesTo(user.email)).map(({ subject }) => subject)
        expect(subjects).toContain("A new way to sign in was connected")
      })
    )

    it.effect("links at once to a proved account of a domain that the provider speaks for", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const email = `${fresh()}@known.example`
        const user = yield* TestApp.enrolledUser({ email })
        const ann = yield* TestApp.guest
        yield* provider.signIn(ann, { sub: email, email, email_verified: true })
        expect((yield* ann.get("/account")).text).toContain(email)
        const other = yield* TestApp.signedInUser(user)
        expect((yield* other.get("/account")).status).toBe(200)
      })
    )

    it.effect("leads to the second factor of the account, and to the page that was asked for", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const [user, sub] = [yield* TestApp.enrolledUser(), fresh()]
        const app = yield* TestApp.authenticatorApp(user)
        yield* TestClock.adjust("1 minute")
        const identities = yield* LinkedIdentities
        yield* identities.link(user.id, { issuer: provider.issuer, subject: sub, provider: "test", label: "Ann" })
        const ann = yield* TestApp.guest
        yield* ann.get("/account/activity")
        const returned = yield* provider.signIn(ann, { sub, amr: ["mfa"] })
        expect(returned.location).toBe("/login/factor")
        expect((yield* ann.get("/account/activity")).location).toBe("/login/factor")
        const done = yield* ann.submit("/login/factor", { code: yield* app.code })
        expect(done.location).toBe("/account/activity")
        expect((yield* eventsOf(user.email))[0]).toMatchObject({ _tag: "SignedIn", by: "Test", factor: "totp" })
        // The session knows what began it, also after the second step.
        const { list, remove } = identities
        const [linked] = yield* list(user.id)
        yield* remove(user.id, linked?.handle ?? "")
        expect((yield* ann.get("/account")).location).toBe("/login")
      })
    )

    it.effect("keeps the device signed in where the person asks for it", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const [ann, bob] = [yield* TestApp.guest, yield* TestApp.guest]
        yield* provider.signIn(ann, { sub: fresh(), email: `${fresh()}@example.com` }, { remember: "1" })
        yield* provider.signIn(bob, { sub: fresh(), email: `${fresh()}@example.com` })
        expect([ann.jar.has("remember"), bob.jar.has("remember")]).toEqual([true, false])
      })
    )

    it.effect("is begun by the form of the sign-in page, and remembers the device where its checkbox says so", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const ann = yield* TestApp.guest
        const page = yield* ann.get("/login")
        expect(page.body).toContain('<form method="post" action="/login" id="sign-in">')
        expect(page.body).toContain('formaction="/login/with/test" form="sign-in" formnovalidate')
        // A browser sends the other fields as well, filled in or not.
        const form = { email: "", password: "half typed", remember: "1" }
        const { location = "" } = yield* ann.submit("/login/with/test", form)
        yield* Effect.flatMap(provider.approve(location, { sub: fresh(), email: `${fresh()}@example.com` }), ann.get)
        expect(ann.jar.has("remember")).toBe(true)
      })
    )

    it.effect("shows its buttons with the permission to send their forms to the provider", () =>
      Effect.gen(function* () {
        const { issuer } = yield* TestProvider.TestProvider
        const guest = yield* TestApp.guest
        const [login, register] = [yield* guest.get("/login"), yield* guest.get("/register")]
        expect(login.body).toContain('formaction="/login/with/test"')
        expect([login.text, register.text].map((text) => /Sign (in|up) with Test/.exec(text)?.[0])).toEqual([
          "Sign in with Test",
          "Sign up with Test"
        ])
        for (const { headers } of [login, register]) {
          expect(headers.get("content-security-policy")).toContain(`form-action 'self' ${issuer}`)
        }
        expect((yield* guest.get("/forgot")).headers.get("content-security-policy")).not.toContain(issuer)
      })
    )
  })
})

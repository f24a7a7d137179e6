// A sign-in with a provider where the account, the browser or the provider is not as usual, over real sockets.
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, TestClock } from "effect"
import * as OidcProvider from "../../../layers/auth/OidcProvider.ts"
import { AccountChanges } from "../../../src/auth/internal/AccountChanges.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import { Users } from "../../../src/auth/Users.ts"
import { CapturedMail } from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as TestProvider from "../../../testing/TestProvider.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { lastLink } from "../../support/MailedLinks.ts"
import * as PasswordlessUser from "../../support/PasswordlessUser.ts"

let count = 0
const fresh = () => `stage-${count++}`

const linkedTo = Effect.fnUntraced(function* (user: Pick<TestApp.TestUser, "id">, given?: string) {
  const provider = yield* TestProvider.TestProvider
  const { link } = yield* LinkedIdentities
  const sub = fresh()
  yield* link(user.id, { issuer: given ?? provider.issuer, subject: sub, provider: "any", label: sub })
  return sub
})

const withFactor = Effect.gen(function* () {
  const user = yield* TestApp.enrolledUser()
  const app = yield* TestApp.authenticatorApp(user)
  yield* TestClock.adjust("1 minute")
  return { app, sub: yield* linkedTo(user), user }
})

const lock = Effect.fnUntraced(function* ({ id }: TestApp.TestUser) {
  const { countWrongCode } = yield* Factors
  yield* Effect.replicateEffect(countWrongCode(id), 100)
})

let meanwhile: Effect.Effect<void> = Effect.void

let whileEnding: Effect.Effect<void> = Effect.void

let whileLinking: Effect.Effect<void> = Effect.void

// Whoever looks an identity up, links one, or ends all of an account, is slower than somebody else.
const slow = Layer.effect(
  LinkedIdentities,
  Effect.map(LinkedIdentities, (service) =>
    LinkedIdentities.of({
      ...service,
      find: (subject) => Effect.tap(service.find(subject), () => meanwhile),
      link: (user, identity) => Effect.tap(service.link(user, identity), () => whileLinking),
      removeAll: (user, since) => Effect.zipRight(whileEnding, service.removeAll(user, since))
    })
  )
)

// It does not say when it has last asked the person, as Google and GitHub.
const silent = OidcProvider.layer({
  id: "silent",
  name: "Silent",
  issuer: "https://silent.invalid",
  clientId: "a",
  clientSecret: Redacted.make("b"),
  asksAgain: false
})

const long = "\u{1f980}"

const provider = TestProvider.layer({
  authoritativeFor: ["stage.example"],
  countsSecondFactor: true,
  accepts: ({ tenant }) => tenant !== "another",
  fields: () => ({ display_name: long.repeat(140) })
})

const services = Layer.mergeAll(provider, Layer.orDie(silent)).pipe(Layer.provideMerge(slow))

describeDatabases("A sign-in with a provider", (database) => {
  layer(TestApp.layer([PasswordlessUser.route], { database: database.layer, services }))((it) => {
    it.effect("counts the provider's second factor where the program says so, and only one that was used", () =>
      Effect.gen(function* () {
        const { signIn } = yield* TestProvider.TestProvider
        const { sub } = yield* withFactor
        for (const amr of [undefined, "mfa", ["pwd"], [["mfa"]], [1]]) {
          expect((yield* signIn(yield* TestApp.guest, { sub, amr })).location).toBe("/login/factor")
        }
        expect((yield* signIn(yield* TestApp.guest, { sub, amr: ["pwd", "mfa"] })).location).toBe("/account")
      })
    )

    it.effect("refuses an account whose second factor was guessed at on and on as a password is refused", () =>
      Effect.gen(function* () {
        const { signIn } = yield* TestProvider.TestProvider
        const { sub, user } = yield* withFactor
        yield* lock(user)
        const client = yield* TestApp.guest
        expect((yield* signIn(client, { sub })).location).toBe("/login")
        expect((yield* client.get("/login")).text).toContain("Invalid credentials.")
        expect((yield* client.submit("/login", { email: user.email, password: user.password })).status).toBe(401)
        // Nobody guesses at a factor that the provider has asked for: it is as good as a passkey.
        expect((yield* signIn(client, { sub, amr: ["mfa"] })).location).toBe("/account")
      })
    )

    it.effect("lets somebody in who leaves, as a password does: they can stay", () =>
      Effect.gen(function* () {
        const { signIn } = yield* TestProvider.TestProvider
        const user = yield* TestApp.enrolledUser()
        const sub = yield* linkedTo(user)
        const changes = yield* AccountChanges
        yield* changes.requestDeletion(user.id, "14 days")
        const client = yield* TestApp.guest
        expect((yield* signIn(client, { sub })).location).toBe("/account")
        expect(Option.isSome(yield* changes.deletion(user.id))).toBe(true)
        yield* Effect.flatMap(Users, (users) => users.remove(user.id))
        expect((yield* signIn(yield* TestApp.guest, { sub })).location).toBe("/login/with/test/complete")
      })
    )

    it.effect("remembers the device after the second factor, and not before it", () =>
      Effect.gen(function* () {
        const { signIn } = yield* TestProvider.TestProvider
        const { app, sub } = yield* withFactor
        const client = yield* TestApp.guest
        yield* signIn(client, { sub }, { remember: "1" })
        expect(client.jar.has("remember")).toBe(false)
        yield* client.submit("/login/factor", { code: yield* app.code })
        expect(client.jar.has("remember")).toBe(true)
        client.jar.delete("session")
        expect((yield* client.get("/account")).status).toBe(200)
      })
    )

    it.effect("has no session where the identity is disconnected, or the account deleted, at the same moment", () =>
      Effect.gen(function* () {
        const { issuer, signIn } = yield* TestProvider.TestProvider
        const identities = yield* LinkedIdentities
        const users = yield* Users
        for (const act of ["remove", "delete"] as const) {
          const user = yield* TestApp.enrolledUser()
          const sub = yield* linkedTo(user)
          const handle = Option.getOrThrow(yield* identities.find({ issuer, subject: sub })).handle
          const ending =
            act === "remove" ? Effect.asVoid(identities.remove(user.id, handle)) : Effect.asVoid(users.remove(user.id))
          meanwhile = Effect.suspend(() => {
            meanwhile = Effect.void
            return ending
          })
          const client = yield* TestApp.guest
          yield* signIn(client, { sub }, { remember: "1" })
          expect((yield* client.get("/account")).location).toBe("/login")
          client.jar.delete("session")
          expect((yield* client.get("/account")).location).toBe("/login")
        }
      })
    )

    it.effect("takes no account over that moves to another address at the same moment", () =>
      Effect.gen(function* () {
        const { signIn } = yield* TestProvider.TestProvider
        const users = yield* Users
        const user = yield* TestApp.enrolledUser({ email: `${fresh()}@stage.example`, verified: false })
        const moved = `${fresh()}@example.com`
        whileEnding = Effect.asVoid(Effect.orDie(users.changeEmail(user.id, moved)))
        const victim = yield* TestApp.guest
        yield* signIn(victim, { sub: fresh(), email: user.email, email_verified: true })
        whileEnding = Effect.void
        expect((yield* victim.get("/account")).location).toBe("/login")
        expect(yield* Effect.flatMap(LinkedIdentities, ({ list }) => list(user.id))).toEqual([])
        // The next try makes an account of their own.
        const again = yield* TestApp.guest
        yield* signIn(again, { sub: fresh(), email: user.email, email_verified: true })
        expect((yield* again.get("/account")).text).toContain(user.email)
      })
    )

    it.effect("is no longer linked after This was not me, also where the sign-up took its time", () =>
      Effect.gen(function* () {
        const { signIn } = yield* TestProvider.TestProvider
        whileLinking = TestClock.adjust("2 seconds")
        const email = `${fresh()}@stage.example`
        yield* signIn(yield* TestApp.guest, { sub: fresh(), email, email_verified: true })
        whileLinking = Effect.void
        const { id } = Option.getOrThrow(yield* Effect.flatMap(Users, ({ fetch }) => fetch(email)))
        const { list } = yield* LinkedIdentities
        expect(yield* list(id)).toHaveLength(1)
        const owner = yield* TestApp.guest
        expect((yield* owner.submit(yield* lastLink(email, "/not-me"), {})).location).toBe("/login")
        expect(yield* list(id)).toEqual([])
      })
    )

    it.effect("tells the owner of a sign-in on the browser that made the account before they took it over", () =>
      Effect.gen(function* () {
        const { signIn } = yield* TestProvider.TestProvider
        const { messagesTo } = yield* CapturedMail
        const [sub, password] = [fresh(), "a long harbour 7"]
        const claims = { sub, email: `${sub}@stage.example`, email_verified: true }
        const stranger = yield* TestApp.guest
        yield* stranger.submit("/register", { email: claims.email, password, password_confirmation: password })
        yield* TestClock.adjust("1 minute")
        const owner = yield* TestApp.guest
        expect((yield* signIn(owner, claims)).location).toBe("/account")
        const sent = (yield* messagesTo(claims.email)).length
        yield* TestClock.adjust("61 minutes")
        // With the owner's account at the provider, which somebody has left open.
        stranger.jar.delete("session")
        expect((yield* signIn(stranger, claims)).location).toBe("/account")
        const subjects = (yield* messagesTo(claims.email)).map(({ subject }) => subject)
        expect(subjects.slice(sent)).toEqual(["New sign-in to your account"])
        // The owner's own browser is known.
        yield* TestClock.adjust("61 minutes")
        yield* owner.submit("/logout", {})
        expect((yield* signIn(owner, claims)).location).toBe("/account")
        expect(yield* messagesTo(claims.email)).toHaveLength(subjects.length)
        expect((yield* owner.get("/account/activity")).text).toContain("Test verified the e-mail address")
      })
    )

    it.effect("tells nobody by a cookie which account has an address", () =>
      Effect.gen(function* () {
        const { signIn } = yield* TestProvider.TestProvider
        const user = yield* TestApp.enrolledUser()
        const stranger = yield* TestApp.guest
        expect((yield* signIn(stranger, { sub: fresh(), email: user.email })).location).toBe("/login")
        const read = [...stranger.jar.values()].flatMap((cookie) => cookie.split("."))
        const texts = read.map((part) => Buffer.from(part, "base64url").toString())
        expect(texts.some((text) => text.includes(user.email))).toBe(true)
        expect([...read, ...texts].filter((text) => text.includes(user.id))).toEqual([])
      })
    )

    it.effect("connects twenty identities an hour to one account, and signs in all the same", () =>
      Effect.gen(function* () {
        const { signIn } = yield* TestProvider.TestProvider
        const user = yield* TestApp.enrolledUser()
        for (let count = 0; count < 22; count++) {
          const client = yield* TestApp.guest
          yield* signIn(client, { sub: fresh(), email: user.email })
          const { location } = yield* client.submit("/login", { email: user.email, password: user.password })
          expect(location).toBe("/account")
        }
        const { list } = yield* LinkedIdentities
        expect(yield* list(user.id)).toHaveLength(20)
      })
    )

    it.effect("connects to an account with a second factor after it, and not before", () =>
      Effect.gen(function* () {
        const { signIn } = yield* TestProvider.TestProvider
        const user = yield* TestApp.enrolledUser()
        const app = yield* TestApp.authenticatorApp(user)
        yield* TestClock.adjust("1 minute")
        const client = yield* TestApp.guest
        yield* signIn(client, { sub: fresh(), email: user.email })
        const { location } = yield* client.submit("/login", { email: user.email, password: user.password })
        expect(location).toBe("/login/factor")
        const { list } = yield* LinkedIdentities
        expect(yield* list(user.id)).toEqual([])
        expect((yield* client.submit("/login/factor", { code: "000000" })).status).toBe(401)
        expect(yield* list(user.id)).toEqual([])
        yield* client.submit("/login/factor", { code: yield* app.code })
        expect((yield* list(user.id)).map(({ label }) => label)).toEqual([user.email])
      })
    )

    it.effect("is linked to a proved account with a second factor, which is asked for", () =>
      Effect.gen(function* () {
        const { signIn } = yield* TestProvider.TestProvider
        const user = yield* TestApp.enrolledUser({ email: `${fresh()}@stage.example` })
        const app = yield* TestApp.authenticatorApp(user)
        yield* TestClock.adjust("1 minute")
        const client = yield* TestApp.guest
        const returned = yield* signIn(client, { sub: fresh(), email: user.email, email_verified: true })
        expect(returned.location).toBe("/login/factor")
        expect((yield* client.get("/account")).location).toBe("/login/factor")
        yield* client.submit("/login/factor", { code: yield* app.code })
        expect((yield* client.get("/account")).text).toContain(user.email)
        const { list } = yield* LinkedIdentities
        expect(yield* list(user.id)).toHaveLength(1)
      })
    )

    it.effect("is of no one whom the program does not accept", () =>
      Effect.gen(function* () {
        const { signIn } = yield* TestProvider.TestProvider
        const client = yield* TestApp.guest
        const claims = { sub: fresh(), email: `${fresh()}@example.com`, tenant: "another" }
        expect((yield* signIn(client, claims)).location).toBe("/login")
        expect((yield* client.get("/login")).text).toContain("did not sign you in")
      })
    )

    it.effect("confirms by no provider that does not ask again, and offers a new sign-in", () =>
      Effect.gen(function* () {
        const user = yield* PasswordlessUser.enroll()
        const client = yield* PasswordlessUser.signIn(user)
        yield* linkedTo(user, "https://silent.invalid")
        yield* TestClock.adjust("11 minutes")
        const page = yield* client.get("/confirm")
        expect(page.text).not.toContain("Confirm with")
        expect(page.text).toContain("Sign out and sign in again")
        expect((yield* client.submit("/confirm/with/silent", {})).status).toBe(404)
        yield* linkedTo(user)
        const both = yield* client.get("/confirm")
        expect(both.text).toContain("Confirm with Test")
        // It would not count.
        expect(both.text).not.toContain("sign in again")
        expect(both.text).not.toContain("Confirm with Silent")
      })
    )

    it.effect("keeps a person whose claims are long, beside six flows and a long page to return to", () =>
      Effect.gen(function* () {
        const { approve } = yield* TestProvider.TestProvider
        const client = yield* TestApp.guest
        yield* client.get(`/account/activity?${"a".repeat(180)}`)
        const begin = Effect.map(client.submit("/login/with/test", {}), ({ location = "" }) => location)
        const [address = ""] = yield* Effect.replicateEffect(begin, 6)
        const claims = { sub: long.repeat(127), preferred_username: long.repeat(100) }
        const returned = yield* Effect.flatMap(approve(address, claims), client.get)
        expect(returned.location).toBe("/login/with/test/complete")
        for (const line of returned.cookies) expect(Buffer.byteLength(line)).toBeLessThan(4096)
        const email = `${fresh()}@example.com`
        expect((yield* client.get("/login/with/test/complete")).status).toBe(200)
        const done = yield* client.submit("/login/with/test/complete", { email })
        expect(done.location).toMatch(/^\/account/)
        expect((yield* client.get("/account")).text).toContain(email)
      })
    )
  })
})

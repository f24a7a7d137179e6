// The table "What ends when" of docs/auth.md, over real sockets: five ways to take an account back, and what each leaves.
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Option, Redacted, TestClock } from "effect"
import { AccountChanges } from "../../../src/auth/internal/AccountChanges.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient } from "../../../testing/TestClient.ts"
import * as TestProvider from "../../../testing/TestProvider.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import { lastLink } from "../../support/MailedLinks.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"

const later = TestClock.adjust("1 minute")

/** The next change of a kind is told at once, not collapsed with what came before. */
const nextHour = ({ submit, user: { password } }: TestApp.SignedInClient) =>
  Effect.zipRight(TestClock.adjust("1 hour"), submit("/confirm", { current: password }))

const next = "a third harbour"

let count = 0
const fresh = () => `moved-${count++}@example.com`

const isSignedIn = (client: TestClient) => Effect.map(client.get("/account"), ({ status }) => status === 200)

/** An account with one of everything, and with one more of everything since the event that its owner is told of. */
const world = Effect.gen(function* () {
  const browser = yield* TestApp.signedInUser()
  const [before, email] = [browser.user.email, fresh()]
  const { id, password } = browser.user
  yield* browser.submit("/account/email", { email })
  yield* browser.submit(yield* lastLink(email, "/account/email"), {})
  const undo = yield* lastLink(before, "/account/email/undo")
  const user = { id, email, password }

  const other = yield* TestApp.signedInUser(user)
  yield* TestApp.bearerUser(user)
  const device = yield* TestApp.guest
  yield* device.submit("/login", { email, password, remember: "1" })
  device.jar.delete("session")

  const tokens = yield* ApiTokens
  const identities = yield* LinkedIdentities
  const add = Effect.fnUntraced(function* (name: string) {
    yield* PasskeyUser.add(browser, name)
    yield* tokens.create(id, { name, scopes: [] })
    const subject = `${id} ${name}`
    yield* identities.link(id, { issuer: "https://id.example.com", subject, provider: "example", label: name })
    return yield* FactorApp.enrol({ email })
  })
  yield* add("Old")
  yield* nextHour(browser)
  // The notice of the passkey is the event.
  yield* add("New")
  const report = yield* lastLink(email, "/not-me")

  const changes = yield* AccountChanges
  yield* browser.submit("/account/email", { email: fresh() })
  expect(Option.isSome(yield* Effect.zipRight(lastLink(email, ""), changes.pendingEmail(id)))).toBe(true)
  yield* changes.requestDeletion(id, "30 days")
  return { browser, other, device, user, undo, report }
})

type World = Effect.Effect.Success<typeof world>

const left = Effect.fnUntraced(function* ({ browser, device, other, undo, user: { email, id, password } }: World) {
  const changes = yield* AccountChanges
  const users = yield* Users
  const factors = yield* Factors
  const right = (given: string) => Effect.map(users.verify(email, Redacted.make(given)), Option.isSome)
  return {
    // First, bearers among them: what follows may begin one.
    sessions: (yield* Effect.flatMap(Sessions, ({ list }) => list(id))).length,
    self: yield* isSignedIn(browser),
    others: [yield* isSignedIn(other), yield* isSignedIn(device)],
    tokens: (yield* Effect.flatMap(ApiTokens, ({ list }) => list(id))).map(({ name }) => name).sort(),
    passkeys: (yield* Effect.flatMap(Passkeys, ({ list }) => list(id))).map(({ name }) => name).sort(),
    identities: (yield* Effect.flatMap(LinkedIdentities, ({ list }) => list(id)))
      .map(({ label }) => (label === email ? "Provider" : label))
      .sort(),
    apps: (yield* factors.list(id)).length,
    codes: yield* factors.countRecoveryCodes(id),
    waiting: [
      Option.isSome(yield* changes.pendingEmail(id)),
      (yield* (yield* TestApp.guest).get(undo)).status === 200,
      Option.isSome(yield* changes.deletion(id))
    ],
    password: [yield* right(password), yield* right(next)]
  }
})

const changed = (more: Readonly<Record<string, string>> = {}) =>
  Effect.fnUntraced(function* ({ browser, user }: World) {
    const form = { current: user.password, password: next, password_confirmation: next, ...more }
    expect((yield* browser.submit("/password", form)).location).toBe("/account")
  })

const reset = Effect.fnUntraced(function* ({ user: { email } }: World) {
  const owner = yield* TestApp.guest
  yield* owner.submit("/forgot", { email })
  const form = { password: next, password_confirmation: next }
  expect((yield* owner.submit(yield* lastLink(email, "/reset"), form)).location).toBe("/login")
})

const unproved = Effect.fnUntraced(function* (given: World) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`UPDATE users SET email_verified_at = NULL WHERE email = ${given.user.email}`)
  yield* reset(given)
})

const takenOver = Effect.fnUntraced(function* ({ user: { email } }: World) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`UPDATE users SET email_verified_at = NULL WHERE email = ${email}`)
  const { signIn } = yield* TestProvider.TestProvider
  const owner = yield* TestApp.guest
  expect((yield* signIn(owner, { sub: email, email, email_verified: true })).location).toBe("/account")
  expect(yield* isSignedIn(owner)).toBe(true)
})

const reported = Effect.fnUntraced(function* ({ report }: World) {
  expect((yield* (yield* TestApp.guest).submit(report, {})).location).toBe("/login")
})

const both = ["New", "Old"]
const everything = { passkeys: both, identities: both, apps: 2, codes: 10 }
const ended = [false, false, false]
const nothing: ReadonlyArray<string> = []

const table = [
  ["a password change", changed(), { self: true, tokens: nothing, ...everything, waiting: [true, true, true] }],
  [
    "a password change that keeps the API tokens",
    changed({ keep_tokens: "1" }),
    { self: true, tokens: both, ...everything, waiting: [true, true, true] }
  ],
  ["a reset, address proved", reset, { self: false, tokens: nothing, ...everything, waiting: ended }],
  [
    "a reset, address unproved",
    unproved,
    { self: false, tokens: nothing, passkeys: nothing, identities: nothing, apps: 0, codes: 0, waiting: ended }
  ],
  [
    "a sign-in with a provider that speaks for the address, unproved before",
    takenOver,
    {
      sessions: 1,
      self: false,
      tokens: nothing,
      passkeys: nothing,
      identities: ["Provider"],
      apps: 0,
      codes: 0,
      waiting: ended,
      password: [false, false]
    }
  ],
  [
    "This was not me",
    reported,
    {
      self: false,
      tokens: ["Old"],
      passkeys: ["Old"],
      identities: ["Old"],
      apps: 1,
      codes: 10,
      waiting: ended,
      password: [false, false]
    }
  ]
] as const

const provider = TestProvider.layer({ authoritativeFor: ["example.com"] })

describeDatabases("What ends when", (database) => {
  layer(TestApp.layer([], { environment: "production", database: database.layer, services: provider }))((it) => {
    it.effect.each(table)("%s", ([, end, expected]) =>
      Effect.gen(function* () {
        const given = yield* world
        expect(yield* left({ ...given })).toMatchObject({
          sessions: 4,
          self: true,
          others: [true, true],
          ...everything
        })
        given.device.jar.delete("session")
        yield* later
        yield* end(given)
        expect(yield* left(given)).toEqual({
          sessions: Number(expected.self),
          others: [false, false],
          password: [false, true],
          ...expected
        })
      })
    )

    it.effect("ends the recovery codes that a thief renewed, and leaves the owner's authenticator app", () =>
      Effect.gen(function* () {
        const thief = yield* TestApp.signedInUser()
        const { email, id, password } = thief.user
        const factors = yield* Factors
        const { recoveryCodes, secret } = yield* FactorApp.enrol(thief.user)
        // The owner has used all of theirs.
        for (const code of recoveryCodes) yield* factors.verify(id, Redacted.make(code))
        yield* later
        const shown = yield* thief.submit("/account/factors/recovery-codes", {})
        const stolen = FactorApp.recoveryCodesIn(shown.body)
        expect(stolen).toHaveLength(10)
        const owner = yield* TestApp.guest
        expect((yield* owner.submit(yield* lastLink(email, "/not-me"), {})).location).toBe("/login")
        expect(yield* factors.countRecoveryCodes(id)).toBe(0)
        yield* owner.submit(yield* lastLink(email, "/reset"), { password: next, password_confirmation: next })
        expect((yield* owner.submit("/login", { email, password })).status).toBe(401)
        expect((yield* owner.submit("/login", { email, password: next })).location).toBe("/login/factor")
        expect((yield* owner.submit("/login/factor", { code: stolen[0] ?? "" })).status).toBe(401)
        yield* FactorApp.nextCode
        expect((yield* owner.submit("/login/factor", { code: yield* FactorApp.codeOf(secret) })).location).toBe(
          "/account"
        )
      })
    )

    it.effect("reaches by a later link what an earlier one reports, one after the other", () =>
      Effect.gen(function* () {
        const thief = yield* TestApp.signedInUser()
        const { email, id } = thief.user
        const passkeys = yield* Passkeys
        yield* PasskeyUser.add(thief, "First")
        const first = yield* lastLink(email, "/not-me")
        yield* nextHour(thief)
        yield* PasskeyUser.add(thief, "Second")
        const second = yield* lastLink(email, "/not-me")
        const owner = yield* TestApp.guest
        expect((yield* owner.submit(second, {})).location).toBe("/login")
        expect((yield* passkeys.list(id)).map(({ name }) => name)).toEqual(["First"])
        expect((yield* owner.submit(first, {})).location).toBe("/login")
        expect(yield* passkeys.list(id)).toEqual([])
      })
    )
  })
})

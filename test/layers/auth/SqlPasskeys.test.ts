import { signIn } from "../../../src/session/internal/SessionGrants.ts"
import { expect, layer } from "@effect/vitest"
import { Effect, Either, TestClock } from "effect"
import type { AccountId, Identity } from "../../../src/session/Identity.ts"
import type { RequestOptions } from "../../../src/auth/internal/passkeys/PasskeyOptions.ts"
import { maxPasskeys } from "../../../src/auth/internal/passkeys/PasskeyRules.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { PasskeyRefused, TooManyPasskeys } from "../../../src/auth/internal/passkeys/PasskeyRules.ts"
import type { Session } from "../../../src/session/Session.ts"
import { Users } from "../../../src/auth/Users.ts"
import { type Lies, SoftAuthenticator } from "../../support/SoftAuthenticator.ts"
import { Browser, enroll, signedIn, stores } from "./Stores.ts"
import { describeTables, hasId, query } from "./TableVariants.ts"

type PasskeyProblem = PasskeyRefused["reason"]

const origin = "https://app.example.com:8443"

const visit = <A, E, R>(browser: Browser, use: (session: Session) => Effect.Effect<A, E, R>) =>
  Effect.map(browser.visit(use), ({ value }) => value)

/** A passkey of a new account, or of this one. */
const enrolled = Effect.fnUntraced(function* (given?: Identity, lies: Lies = {}) {
  const passkeys = yield* Passkeys
  const identity = given ?? (yield* enroll)
  const authenticator = new SoftAuthenticator(origin)
  const passkey = yield* visit(yield* signedIn(identity), (session) =>
    Effect.gen(function* () {
      const options = yield* passkeys.creationOptions(identity, session)
      return yield* passkeys.enroll(identity.id, session, {
        name: "Phone",
        credential: authenticator.create(options, lies)
      })
    })
  )
  return { passkeys, identity, authenticator, passkey }
})

type Answer = (options: RequestOptions) => string

/** What comes of an answer to a challenge of a new visit. */
const attempt = Effect.fnUntraced(function* (answer: Answer, user?: AccountId) {
  const passkeys = yield* Passkeys
  return yield* visit(new Browser(), (session) =>
    Effect.gen(function* () {
      const options = yield* passkeys.requestOptions(session, user)
      return yield* Effect.either(passkeys.verify(session, answer(options), user))
    })
  )
})

const reasonOf = (outcome: Either.Either<unknown, PasskeyRefused>): PasskeyProblem | "accepted" =>
  Either.match(outcome, { onLeft: ({ reason }) => reason, onRight: () => "accepted" as const })

const reason = (answer: Answer, user?: AccountId) => Effect.map(attempt(answer, user), reasonOf)

describeTables("Passkeys", (database, tables) => {
  layer(stores(database, { appUrl: `${origin}/app` }, tables))((it) => {
    it.effect("are asked for with the site of APP_URL, the person verified, and found without a name", () =>
      Effect.gen(function* () {
        const { identity, passkeys } = yield* enrolled()
        const browser = yield* signedIn(identity)
        const creation = yield* visit(browser, (session) => passkeys.creationOptions(identity, session))
        expect(creation.rp).toEqual({ id: "app.example.com", name: "app.example.com" })
        expect(creation.user.name).toBe(identity.email)
        expect(Buffer.from(creation.user.id, "base64url").toString()).not.toContain(identity.id)
        expect(creation.excludeCredentials).toHaveLength(1)
        expect(creation.authenticatorSelection).toEqual({
          residentKey: "required",
          requireResidentKey: true,
          userVerification: "required"
        })
        const request = yield* visit(browser, (session) => passkeys.requestOptions(session))
        expect(request).toEqual({
          challenge: request.challenge,
          rpId: "app.example.com",
          timeout: 300_000,
          userVerification: "required",
          allowCredentials: []
        })
        expect(Buffer.from(request.challenge, "base64url")).toHaveLength(32)
        const rows = yield* query((sql) => sql`SELECT * FROM ${sql(tables.passkeyChallenges)}`)
        expect(JSON.stringify(rows)).not.toContain(request.challenge)
      })
    )

    it.effect("sign in to their account, count, and are listed, renamed and removed by their owner", () =>
      Effect.gen(function* () {
        const { authenticator, identity, passkey, passkeys } = yield* enrolled()
        expect(passkey).toEqual({
          handle: passkey.handle,
          name: "Phone",
          created: passkey.created,
          lastUsed: undefined,
          isSynced: false
        })
        yield* TestClock.adjust("90 seconds")
        const granted = yield* attempt((options) => authenticator.get(options))
        expect(granted).toEqual(Either.right({ identity, handle: passkey.handle }))
        const second = yield* enrolled(identity, { backupEligible: true, backedUp: true })
        const other = yield* enrolled()
        expect(yield* passkeys.list(identity.id)).toEqual([
          second.passkey,
          { ...passkey, lastUsed: second.passkey.created }
        ])
        expect(second.passkey.isSynced).toBe(true)
        expect(yield* passkeys.rename(identity.id, passkey.handle, "Laptop 💻\0")).toBe(true)
        expect(yield* passkeys.rename(other.identity.id, passkey.handle, "Stolen")).toBe(false)
        expect((yield* passkeys.list(identity.id))[1]?.name).toBe("Laptop 💻")
        expect(yield* passkeys.remove(other.identity.id, passkey.handle)).toBe(false)
        expect(yield* passkeys.remove(identity.id, "unknown")).toBe(false)
        expect(yield* passkeys.remove(identity.id, passkey.handle)).toBe(true)
        expect(yield* passkeys.remove(identity.id, passkey.handle)).toBe(false)
        expect(yield* reason((options) => authenticator.get(options))).toBe("unknown")
        expect(yield* passkeys.list(identity.id)).toEqual([second.passkey])
        expect(yield* passkeys.removeAll(identity.id)).toBe(1)
        expect(yield* reason((options) => second.authenticator.get(options))).toBe("unknown")
        expect(yield* passkeys.list(other.identity.id)).toEqual([other.passkey])
      })
    )

    it.effect("are refused for what their response says", () =>
      Effect.gen(function* () {
        const { authenticator } = yield* enrolled()
        const stranger = yield* enrolled()
        const cases: ReadonlyArray<readonly [PasskeyProblem, Lies]> = [
          ["invalid", { origin: "https://app.example.com" }],
          ["invalid", { origin: "https://evil.example" }],
          ["invalid", { origin: "http://app.example.com:8443" }],
          ["invalid", { rpId: "example.com" }],
          ["invalid", { rpId: "evil.example" }],
          ["invalid", { type: "webauthn.create" }],
          ["invalid", { userVerified: false }],
          ["invalid", { userPresent: false }],
          ["invalid", { backupEligible: true }],
          ["invalid", { userHandle: "AAAA" }],
          ["invalid", { userHandle: null }],
          ["invalid", { id: stranger.authenticator.id }],
          ["unknown", { id: "AAAA" }],
          ["malformed", { crossOrigin: true }],
          ["challenge", { challenge: "AAAA" }]
        ]
        for (const [expected, lies] of cases) {
          expect(yield* reason((options) => authenticator.get(options, lies)), JSON.stringify(lies)).toBe(expected)
        }
        expect(yield* reason((options) => authenticator.get(options))).toBe("accepted")
      })
    )

    it.effect("are refused when they are no response, or one that was changed", () =>
      Effect.gen(function* () {
        const { authenticator } = yield* enrolled()
        const texts = ["", "{}", "null", "[", "\0", `{"id":"a"}`, "x".repeat(70_000), "[".repeat(60_000)]
        for (const text of texts) expect(yield* reason(() => text), text.slice(0, 20)).toBe("malformed")
        const forged = (field: string) => (options: RequestOptions) => {
          const parsed = JSON.parse(authenticator.get(options))
          parsed.response[field] = `${parsed.response[field].slice(0, -6)}AAAAAA`
          return JSON.stringify(parsed)
        }
        expect(yield* reason(forged("signature"))).toBe("invalid")
        expect(yield* reason(forged("authenticatorData"))).toBe("invalid")
        expect(yield* reason(forged("clientDataJSON"))).toBe("malformed")
      })
    )

    it.effect("are refused when their counter goes back or stands still, until it moves on", () =>
      Effect.gen(function* () {
        const { authenticator, identity } = yield* enrolled()
        const counted = (counter: number) => attempt((options) => authenticator.get(options, { counter }))
        expect(reasonOf(yield* counted(0))).toBe("accepted")
        expect(reasonOf(yield* counted(0))).toBe("accepted")
        expect(reasonOf(yield* counted(4_294_967_290))).toBe("accepted")
        for (const counter of [4_294_967_290, 4_294_967_289, 1, 0]) {
          expect(yield* counted(counter)).toEqual(
            Either.left(new PasskeyRefused({ reason: "counter", user: identity.id }))
          )
        }
        expect(reasonOf(yield* counted(4_294_967_291))).toBe("accepted")
      })
    )

    it.effect("answer a challenge once, also at the same moment, only in its visit, for its purpose and in time", () =>
      Effect.gen(function* () {
        const { authenticator, identity, passkeys } = yield* enrolled()
        const browser = new Browser()
        const ask = (one: Browser, user?: AccountId) => visit(one, (session) => passkeys.requestOptions(session, user))
        const answer = (one: Browser, credential: string, user?: AccountId) =>
          Effect.map(
            visit(one, (session) => Effect.either(passkeys.verify(session, credential, user))),
            reasonOf
          )
        const sent = authenticator.get(yield* ask(browser))
        expect(yield* answer(new Browser(), sent)).toBe("challenge")
        expect(yield* answer(browser, sent, identity.id)).toBe("challenge")
        const outcomes = yield* Effect.all(
          Array.from({ length: 5 }, () => answer(browser, sent)),
          { concurrency: "unbounded" }
        )
        expect(outcomes.toSorted()).toEqual(["accepted", "challenge", "challenge", "challenge", "challenge"])
        expect(yield* answer(browser, sent)).toBe("challenge")
        const confirming = authenticator.get(yield* ask(browser, identity.id))
        expect(yield* answer(browser, confirming)).toBe("challenge")
        expect(yield* answer(browser, confirming, (yield* enroll).id)).toBe("challenge")
        expect(yield* answer(browser, confirming, identity.id)).toBe("accepted")
        const late = authenticator.get(yield* ask(browser))
        yield* TestClock.adjust("5 minutes")
        expect(yield* answer(browser, late)).toBe("challenge")
        const early = authenticator.get(yield* ask(browser))
        yield* TestClock.adjust("299 seconds")
        expect(yield* answer(browser, early)).toBe("accepted")
        yield* visit(browser, (session) => session.regenerate)
        const old = new Browser()
        const before = authenticator.get(yield* ask(old))
        yield* visit(old, (session) => session[signIn](identity))
        expect(yield* answer(old, before)).toBe("challenge")
      })
    )

    it.effect("confirm only the account that is asked for, and it is told its passkeys", () =>
      Effect.gen(function* () {
        const { authenticator, identity } = yield* enrolled()
        const stranger = yield* enrolled()
        const told = (options: RequestOptions) => options.allowCredentials.map(({ id }) => id)
        const confirmed = yield* reason((options) => {
          expect(told(options)).toEqual([authenticator.id])
          return authenticator.get(options, { userHandle: null })
        }, identity.id)
        expect(confirmed).toBe("accepted")
        expect(yield* reason((options) => stranger.authenticator.get(options), identity.id)).toBe("unknown")
      })
    )

    it.effect("are enrolled only by the account and the visit that asked, for this site and a verified person", () =>
      Effect.gen(function* () {
        const { identity, passkeys } = yield* enrolled()
        const other = yield* enroll
        const browser = yield* signedIn(identity)
        const authenticator = new SoftAuthenticator(origin)
        const options = yield* visit(browser, (session) => passkeys.creationOptions(identity, session))
        const store = (one: Browser, user: AccountId, credential: string) =>
          Effect.flip(visit(one, (session) => passkeys.enroll(user, session, { name: "Phone", credential })))
        const sent = authenticator.create(options)
        expect(yield* store(yield* signedIn(other), other.id, sent)).toMatchObject({ reason: "challenge" })
        expect(yield* store(browser, other.id, sent)).toMatchObject({ reason: "challenge" })
        expect(yield* store(browser, identity.id, "{}")).toMatchObject({ reason: "malformed" })
        const lies: ReadonlyArray<Lies> = [
          { origin: "https://evil.example" },
          { rpId: "evil.example" },
          { userVerified: false },
          { userPresent: false },
          { type: "webauthn.get" }
        ]
        for (const lie of lies) {
          const fresh = yield* visit(browser, (session) => passkeys.creationOptions(identity, session))
          const failure = yield* store(browser, identity.id, authenticator.create(fresh, lie))
          expect(failure, JSON.stringify(lie)).toEqual(new PasskeyRefused({ reason: "invalid", user: identity.id }))
        }
        expect(yield* passkeys.list(identity.id)).toHaveLength(1)
        expect(yield* passkeys.list(other.id)).toEqual([])
      })
    )

    it.effect("belong to one account: the id of another account's is refused, and stays with its owner", () =>
      Effect.gen(function* () {
        const { authenticator, identity } = yield* enrolled()
        const thief = yield* enroll
        const failure = yield* Effect.flip(enrolled(thief, { id: authenticator.id }))
        expect(failure).toEqual(new PasskeyRefused({ reason: "duplicate", user: thief.id }))
        const granted = yield* attempt((options) => authenticator.get(options))
        expect(Either.getOrThrow(granted).identity).toEqual(identity)
      })
    )

    it.effect("are refused once their account is deleted, also when its row alone went away", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const first = yield* enrolled()
        yield* users.remove(first.identity.id)
        expect(yield* reason((options) => first.authenticator.get(options))).toBe("unknown")
        expect(yield* first.passkeys.list(first.identity.id)).toEqual([])
        const second = yield* enrolled()
        yield* query(
          (sql) => sql`DELETE FROM ${sql(tables.users.table)} WHERE ${hasId(sql, tables, second.identity.id)}`
        )
        expect(yield* reason((options) => second.authenticator.get(options))).toBe("unknown")
      })
    )

    it.effect("are limited, also when two are enrolled at once", () =>
      Effect.gen(function* () {
        const { identity, passkeys } = yield* enrolled()
        for (let n = 2; n < maxPasskeys; n++) yield* enrolled(identity)
        const outcomes = yield* Effect.all([enrolled(identity), enrolled(identity)].map(Effect.either), {
          concurrency: "unbounded"
        })
        const failures = outcomes.flatMap((outcome) => (Either.isLeft(outcome) ? [outcome.left] : []))
        expect(failures).toEqual([new TooManyPasskeys({ limit: maxPasskeys })])
        expect(yield* passkeys.list(identity.id)).toHaveLength(maxPasskeys)
      })
    )
  })
})

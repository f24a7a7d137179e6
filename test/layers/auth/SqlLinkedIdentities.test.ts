import { expect, layer } from "@effect/vitest"
import { Effect, Either, Option, TestClock } from "effect"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import { PendingSignIns } from "../../../src/auth/internal/PendingSignIns.ts"
import { resumed, sessionKey } from "../../../src/auth/internal/providers/ProviderFlows.ts"
import { Users } from "../../../src/auth/Users.ts"
import type { Identity } from "../../../src/session/Identity.ts"
import { signIn } from "../../../src/session/internal/SessionGrants.ts"
import { Browser, enroll, signedIn, stores } from "./Stores.ts"
import { describeTables, hasId, query } from "./TableVariants.ts"

let count = 0
const identity = (issuer = "https://id.example.com") => ({
  issuer,
  subject: `subject-${count++}`,
  provider: "example",
  label: "ann@id.example.com"
})

const begunBy = Effect.fnUntraced(function* (user: Identity, handle: string) {
  const browser = yield* signedIn(user)
  yield* browser.visit((session) => session.set(sessionKey, handle))
  return browser
})

describeTables("LinkedIdentities", (database, tables) => {
  layer(stores(database, {}, tables))((it) => {
    it.effect("belong to one account, and are listed, used and removed by their owner", () =>
      Effect.gen(function* () {
        const identities = yield* LinkedIdentities
        const [ann, bob] = [yield* enroll, yield* enroll]
        const given = identity()
        expect(yield* identities.find(given)).toEqual(Option.none())
        const linked = yield* identities.link(ann.id, given)
        expect(linked).toMatchObject({
          issuer: given.issuer,
          provider: "example",
          label: given.label,
          lastUsed: undefined
        })
        expect(yield* identities.find(given)).toEqual(Option.some({ identity: ann, handle: linked.handle }))
        // The same subject of another issuer is another person.
        expect(yield* identities.find({ ...given, issuer: "https://other.example.com" })).toEqual(Option.none())
        expect(yield* identities.link(ann.id, given)).toEqual(linked)
        expect(yield* Effect.flip(identities.link(bob.id, given))).toMatchObject({ _tag: "IdentityTaken" })
        yield* TestClock.adjust("1 minute")
        yield* identities.recordUse(bob.id, given)
        expect((yield* identities.list(ann.id))[0]?.lastUsed).toBeUndefined()
        yield* identities.recordUse(ann.id, given)
        expect(yield* identities.list(ann.id)).toEqual([{ ...linked, lastUsed: linked.created + 60 }])
        expect(yield* identities.remove(bob.id, linked.handle)).toBe(false)
        expect(yield* identities.remove(ann.id, linked.handle)).toBe(true)
        expect(yield* identities.remove(ann.id, linked.handle)).toBe(false)
        expect(yield* identities.find(given)).toEqual(Option.none())
        expect(linked.handle).not.toContain(given.subject)
      })
    )

    it.effect("are given to one of two accounts that link one at once", () =>
      Effect.gen(function* () {
        const identities = yield* LinkedIdentities
        const people = yield* Effect.all([enroll, enroll, enroll])
        const given = identity()
        const outcomes = yield* Effect.all(
          people.map(({ id }) => Effect.either(identities.link(id, given))),
          { concurrency: "unbounded" }
        )
        expect(outcomes.filter(Either.isRight)).toHaveLength(1)
        const owner = Option.getOrThrow(yield* identities.find(given))
        expect(people.map(({ id }) => id)).toContain(owner.identity.id)
      })
    )

    it.effect("end the sessions that they began when they are removed, and no other", () =>
      Effect.gen(function* () {
        const identities = yield* LinkedIdentities
        const pending = yield* PendingSignIns
        const ann = yield* enroll
        const [first, second] = [yield* identities.link(ann.id, identity()), yield* identities.link(ann.id, identity())]
        const [by, other, byPassword, byDevice] = [
          yield* begunBy(ann, first.handle),
          yield* begunBy(ann, second.handle),
          yield* signedIn(ann),
          // Which identity has trusted the device is not known.
          yield* begunBy(ann, resumed)
        ]
        const { value: token } = yield* new Browser().visit((request) =>
          pending.begin(ann.id, { remember: false, request })
        )
        yield* identities.remove(ann.id, first.handle)
        expect([yield* by.isSignedIn, yield* other.isSignedIn, yield* byPassword.isSignedIn]).toEqual([
          false,
          true,
          true
        ])
        expect(yield* byDevice.isSignedIn).toBe(false)
        expect(yield* pending.find(token.value)).toEqual(Option.none())
      })
    )

    it.effect("do not survive in a sign-in that was under way when they were removed", () =>
      Effect.gen(function* () {
        const identities = yield* LinkedIdentities
        const ann = yield* enroll
        const { handle } = yield* identities.link(ann.id, identity())
        const browser = new Browser()
        const { finish, session } = yield* browser.begin()
        yield* session.trackRevocations
        yield* identities.remove(ann.id, handle)
        yield* session[signIn](ann)
        yield* finish
        expect(yield* browser.isSignedIn).toBe(false)
      })
    )

    it.effect("are removed all, or since a time, and with their account", () =>
      Effect.gen(function* () {
        const identities = yield* LinkedIdentities
        const users = yield* Users
        const ann = yield* enroll
        const old = yield* identities.link(ann.id, identity())
        yield* TestClock.adjust("1 hour")
        const late = yield* identities.link(ann.id, identity())
        expect(yield* identities.removeAll(ann.id, late.created)).toBe(1)
        expect(yield* identities.list(ann.id)).toEqual([old])
        expect(yield* identities.removeAll(ann.id)).toBe(1)
        yield* identities.link(ann.id, identity())
        yield* users.remove(ann.id)
        expect(yield* identities.list(ann.id)).toEqual([])
      })
    )

    it.effect("can be linked again where a deleted account has left one", () =>
      Effect.gen(function* () {
        const identities = yield* LinkedIdentities
        const [ann, bob] = [yield* enroll, yield* enroll]
        const given = identity()
        yield* identities.link(ann.id, given)
        yield* query((sql) => sql`DELETE FROM ${sql(tables.users.table)} WHERE ${hasId(sql, tables, ann.id)}`)
        expect(yield* identities.find(given)).toEqual(Option.none())
        yield* identities.link(bob.id, given)
        expect(Option.getOrThrow(yield* identities.find(given)).identity.id).toBe(bob.id)
      })
    )
  })
})

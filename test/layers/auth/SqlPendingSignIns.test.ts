import { expect, layer } from "@effect/vitest"
import { Effect, Option, Redacted, TestClock } from "effect"
import { maxTries } from "../../../src/auth/internal/factors/FactorRules.ts"
import { PendingSignIns } from "../../../src/auth/internal/PendingSignIns.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { Users } from "../../../src/auth/Users.ts"
import { Browser, enroll, stores } from "./Stores.ts"
import { describeTables, query } from "./TableVariants.ts"

describeTables("Pending sign-ins", (database, tables) => {
  const begun = Effect.fnUntraced(function* (remember = false) {
    const pending = yield* PendingSignIns
    const identity = yield* enroll
    const { value } = yield* new Browser().visit((request) => pending.begin(identity.id, { remember, request }))
    return { pending, identity, secret: value.value }
  })

  layer(stores(database, {}, tables))((it) => {
    it.effect("are found by their secret alone, and stored as a digest", () =>
      Effect.gen(function* () {
        const { identity, pending, secret } = yield* begun(true)
        const text = Redacted.value(secret)
        expect(Option.getOrThrow(yield* pending.find(secret))).toMatchObject({
          user: identity.id,
          remember: true,
          triesLeft: maxTries
        })
        const rows = yield* query((sql) => sql`SELECT * FROM ${sql(tables.pendingSignIns)}`)
        expect(JSON.stringify(rows)).not.toContain(text.split(".")[1])
        const others = [
          text.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")),
          text.replace(/^./, (digit) => (digit === "0" ? "1" : "0")),
          text.slice(0, 16),
          "",
          "\0",
          "' OR 1=1 --"
        ]
        for (const other of others) {
          const wrong = Redacted.make(other)
          expect(yield* pending.find(wrong), other).toEqual(Option.none())
          expect(yield* pending.spend(wrong), other).toEqual(Option.none())
          expect(yield* pending.complete(wrong), other).toEqual(Option.none())
        }
        expect(Option.getOrThrow(yield* pending.find(secret)).triesLeft).toBe(maxTries)
      })
    )

    it.effect("allow five tries, counted in the row, also when they come at once", () =>
      Effect.gen(function* () {
        const { pending, secret } = yield* begun()
        const tries = yield* Effect.all(
          Array.from({ length: 12 }, () => pending.spend(secret)),
          { concurrency: "unbounded" }
        )
        const left = tries.flatMap(Option.toArray).map(({ triesLeft }) => triesLeft)
        expect(left.sort()).toEqual([0, 1, 2, 3, 4])
        expect(yield* pending.find(secret)).toEqual(Option.none())
        expect(yield* pending.spend(secret)).toEqual(Option.none())
        // The fifth try may have been right.
        expect(Option.isSome(yield* pending.complete(secret))).toBe(true)
      })
    )

    it.effect("are completed once", () =>
      Effect.gen(function* () {
        const { pending, secret } = yield* begun()
        const completed = yield* Effect.all(
          Array.from({ length: 8 }, () => pending.complete(secret)),
          { concurrency: "unbounded" }
        )
        expect(completed.filter(Option.isSome)).toHaveLength(1)
        expect(yield* pending.find(secret)).toEqual(Option.none())
      })
    )

    it.effect("end after ten minutes, and are swept", () =>
      Effect.gen(function* () {
        const { pending, secret } = yield* begun()
        yield* TestClock.adjust("599 seconds")
        expect(Option.isSome(yield* pending.find(secret))).toBe(true)
        yield* TestClock.adjust("1 second")
        expect(yield* pending.spend(secret)).toEqual(Option.none())
        expect(yield* pending.complete(secret)).toEqual(Option.none())
        expect(yield* pending.sweep).toBeGreaterThan(0)
        expect(yield* pending.sweep).toBe(0)
      })
    )

    it.effect("end with a revocation of the account, with the account, and for no other account", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const users = yield* Users
        const other = yield* begun()
        const one = yield* begun()
        yield* sessions.revoke(one.identity.id)
        expect(yield* one.pending.find(one.secret)).toEqual(Option.none())
        const two = yield* begun()
        yield* users.remove(two.identity.id)
        expect(yield* two.pending.find(two.secret)).toEqual(Option.none())
        const three = yield* begun()
        expect(yield* three.pending.revoke(three.identity.id)).toBe(1)
        expect(yield* three.pending.complete(three.secret)).toEqual(Option.none())
        expect(Option.isSome(yield* other.pending.find(other.secret))).toBe(true)
      })
    )

    it.effect("of a password that was replaced while it was checked complete nothing", () =>
      Effect.gen(function* () {
        const pending = yield* PendingSignIns
        const sessions = yield* Sessions
        const identity = yield* enroll
        const { session } = yield* new Browser().begin()
        yield* session.trackRevocations
        // Here the old password is checked, and meanwhile replaced.
        yield* sessions.revoke(identity.id)
        const { value: secret } = yield* pending.begin(identity.id, { remember: false, request: session })
        expect(Option.isSome(yield* pending.spend(secret))).toBe(true)
        expect(yield* pending.complete(secret)).toEqual(Option.none())
      })
    )
  })
})

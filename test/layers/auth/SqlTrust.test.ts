import { expect, layer } from "@effect/vitest"
import { Duration, Effect, Option, Redacted, TestClock } from "effect"
import { AccountId } from "../../../src/session/Identity.ts"
import type { Token } from "../../../src/auth/Tokens.ts"
import * as SplitToken from "../../../src/session/internal/SplitToken.ts"
import { Theft, Trust } from "../../../src/auth/Trust.ts"
import { describeTables, query } from "./TableVariants.ts"
import { enroll, signedIn, stores } from "./Stores.ts"

const tampered = (token: Redacted.Redacted) =>
  Redacted.make(Redacted.value(token).replace(/.$/, (digit) => (digit === "0" ? "1" : "0")))

const seriesOf = (token: Token) => SplitToken.parse(Redacted.value(token.value))?.selector

let count = 0
const someone = () => AccountId.make(`user-${count++}`)

describeTables("Trust", (database, tables) => {
  const rows = (user: string) =>
    query((sql) => sql<{ selector: string }>`SELECT * FROM ${sql(tables.trusts)} WHERE user_id = ${user}`)

  layer(stores(database, {}, tables))((it) => {
    it.effect("issues a new series", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const user = someone()
        const tokens = [yield* trust.issue(user), yield* trust.issue(user)]
        expect(new Set(tokens.map(seriesOf)).size).toBe(2)
        expect(tokens.map((token) => token.user)).toEqual([user, user])
        expect(yield* rows(user)).toHaveLength(2)
      })
    )

    it.effect("rotates to a new validator of the same series", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const user = someone()
        const first = yield* trust.issue(user)
        const second = Option.getOrThrow(yield* trust.rotate(first.value))
        const third = Option.getOrThrow(yield* trust.rotate(second.value))
        expect(second.user).toBe(user)
        expect([seriesOf(second), seriesOf(third)]).toEqual([seriesOf(first), seriesOf(first)])
        expect(new Set([first, second, third].map(({ value }) => Redacted.value(value))).size).toBe(3)
      })
    )

    it.effect("drops every series and ends every session of the user on a replayed validator", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const [identity, neighbour] = [yield* enroll, yield* enroll]
        const [victim, other] = [yield* signedIn(identity), yield* signedIn(neighbour)]
        const stolen = yield* trust.issue(identity.id)
        const second = yield* trust.issue(identity.id)
        const untouched = yield* trust.issue(neighbour.id)
        yield* trust.rotate(stolen.value)
        expect(yield* Effect.flip(trust.rotate(stolen.value))).toEqual(new Theft({ user: identity.id, revoked: 2 }))
        expect(yield* rows(identity.id)).toEqual([])
        expect(yield* trust.rotate(second.value)).toEqual(Option.none())
        expect([yield* victim.isSignedIn, yield* other.isSignedIn]).toEqual([false, true])
        expect(Option.isSome(yield* trust.rotate(untouched.value))).toBe(true)
      })
    )

    it.effect("takes a validator that was never there for a replay too", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const user = someone()
        const token = yield* trust.issue(user)
        expect(yield* Effect.flip(trust.rotate(tampered(token.value)))).toBeInstanceOf(Theft)
        expect(yield* rows(user)).toEqual([])
      })
    )

    it.effect("lets one of 50 concurrent rotates win and calls none of the others theft", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const user = someone()
        const { value } = yield* trust.issue(user)
        const outcomes = yield* Effect.all(
          Array.from({ length: 50 }, () => trust.rotate(value)),
          { concurrency: "unbounded" }
        )
        const [winner, ...others] = outcomes.filter(Option.isSome)
        expect(others).toEqual([])
        expect(yield* rows(user)).toHaveLength(1)
        expect(Option.isSome(yield* trust.rotate(winner?.value.value ?? value))).toBe(true)
      })
    )

    it.effect("forgets that series only, for a matching validator", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const user = someone()
        const [first, second] = [yield* trust.issue(user), yield* trust.issue(user)]
        expect(yield* trust.forget(tampered(first.value))).toBe(false)
        expect(yield* rows(user)).toHaveLength(2)
        expect(yield* trust.forget(first.value)).toBe(true)
        expect(yield* trust.forget(first.value)).toBe(false)
        expect(Option.isSome(yield* trust.rotate(second.value))).toBe(true)
      })
    )

    it.effect("revokes all series of the user and counts", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const [user, other] = [someone(), someone()]
        yield* Effect.all([trust.issue(user), trust.issue(user), trust.issue(other)])
        expect(yield* trust.revoke(user)).toBe(2)
        expect(yield* trust.revoke(user)).toBe(0)
        expect(yield* rows(other)).toHaveLength(1)
      })
    )

    it.effect("sweeps expired series and counts", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        yield* trust.sweep
        const user = someone()
        yield* Effect.all([trust.issue(user, "1 second"), trust.issue(user, "1 second"), trust.issue(user, "1 hour")])
        yield* TestClock.adjust("1 second")
        expect(yield* trust.sweep).toBe(2)
        expect(yield* trust.sweep).toBe(0)
        expect(yield* rows(user)).toHaveLength(1)
      })
    )

    it.effect("purges an expired series on rotate and on forget, to the second", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const user = someone()
        const tokens = [yield* trust.issue(user, "60 seconds"), yield* trust.issue(user, "60 seconds")] as const
        yield* TestClock.adjust("59 seconds")
        const alive = Option.getOrThrow(yield* trust.rotate(tokens[0].value, "1 second"))
        yield* TestClock.adjust("1 second")
        expect(yield* trust.rotate(alive.value)).toEqual(Option.none())
        expect(yield* trust.forget(tokens[1].value)).toBe(false)
        expect(yield* rows(user)).toEqual([])
      })
    )

    it.effect("lives for another ttl from every rotation", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        let token = yield* trust.issue(someone())
        for (let use = 0; use < 3; use++) {
          yield* TestClock.adjust("2591999 seconds")
          token = Option.getOrThrow(yield* trust.rotate(token.value))
        }
        yield* TestClock.adjust("2592000 seconds")
        expect(yield* trust.rotate(token.value)).toEqual(Option.none())
      })
    )

    it.effect("returns None for malformed and unknown tokens", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        for (const text of ["", ".", "x", `${"0".repeat(16)}.${"0".repeat(64)}`, "\0"]) {
          expect(yield* trust.rotate(Redacted.make(text))).toEqual(Option.none())
          expect(yield* trust.forget(Redacted.make(text))).toBe(false)
        }
      })
    )

    it.effect("fails with a typed error for an empty user or a ttl below 1", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        expect((yield* Effect.flip(trust.issue(AccountId.make(""))))._tag).toBe("InvalidTokenRequest")
        expect((yield* Effect.flip(trust.issue(someone(), 0)))._tag).toBe("InvalidTokenRequest")
      })
    )

    it.effect("lists devices with when and where, and drops one of them for its owner", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const [user, other] = [someone(), someone()]
        const phone = { address: "192.0.2.1", userAgent: "Phone/1.0" }
        const desk = { address: "192.0.2.2", userAgent: "Desk/1.0" }
        const first = yield* trust.issue(user, "1 hour", phone)
        yield* TestClock.adjust("10 seconds")
        const second = yield* trust.issue(user, "1 hour", desk)
        yield* TestClock.adjust("10 seconds")
        yield* trust.rotate(first.value, "1 hour", { ...phone, address: "192.0.2.9" })
        const listed = yield* trust.list(user)
        expect(listed.map(({ device }) => device)).toEqual([{ ...phone, address: "192.0.2.9" }, desk])
        expect(listed.map(({ created, lastUsed }) => lastUsed - created)).toEqual([20, 0])
        const selector = seriesOf(second) ?? ""
        expect(yield* trust.drop(other, selector)).toBe(false)
        expect(yield* trust.drop(user, selector)).toBe(true)
        expect(yield* trust.list(user)).toHaveLength(1)
      })
    )
  })

  layer(stores(database, { rememberGrace: Duration.seconds(10) }, tables))((it) => {
    it.effect("with a grace, calls the validator just before a lost race for that many seconds", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const user = someone()
        const first = yield* trust.issue(user)
        const second = Option.getOrThrow(yield* trust.rotate(first.value))
        yield* TestClock.adjust("9999 millis")
        expect(yield* trust.rotate(first.value)).toEqual(Option.none())
        expect(Option.isSome(yield* trust.rotate(second.value))).toBe(true)
        expect(yield* rows(user)).toHaveLength(1)
      })
    )

    it.effect("with a grace, still calls it theft after those seconds", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const user = someone()
        const first = yield* trust.issue(user)
        yield* trust.rotate(first.value)
        yield* TestClock.adjust("10 seconds")
        expect(yield* Effect.flip(trust.rotate(first.value))).toBeInstanceOf(Theft)
      })
    )

    it.effect("with a grace, still calls any earlier validator theft", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const first = yield* trust.issue(someone())
        const second = Option.getOrThrow(yield* trust.rotate(first.value))
        yield* trust.rotate(second.value)
        expect(yield* Effect.flip(trust.rotate(first.value))).toBeInstanceOf(Theft)
      })
    )
  })
})

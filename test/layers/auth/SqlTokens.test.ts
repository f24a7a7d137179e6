import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect"
import * as SqlTokens from "../../../layers/auth/SqlTokens.ts"
import { AccountId } from "../../../src/session/Identity.ts"
import * as SplitToken from "../../../src/session/internal/SplitToken.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { describeNames, query } from "./TableVariants.ts"

const tampered = (token: Redacted.Redacted) =>
  Redacted.make(Redacted.value(token).replace(/.$/, (digit) => (digit === "0" ? "1" : "0")))

let count = 0
const someone = () => AccountId.make(`user-${count++}`)

describeNames("Tokens", (database, tables) => {
  const rows = (user: string) =>
    query((sql) => sql<{ verifier: string }>`SELECT * FROM ${sql(tables.tokens)} WHERE user_id = ${user}`)

  const stores = SqlTokens.layerWith({ tables }).pipe(Layer.provideMerge(database.layer))
  layer(stores)((it) => {
    it.effect("mints a live token", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        const { value } = yield* tokens.mint(someone(), "recovery")
        expect(SplitToken.parse(Redacted.value(value))).toBeDefined()
        expect(yield* tokens.check(value, "recovery")).toBe(true)
      })
    )

    it.effect("supersedes every other live token of the same user and purpose", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        const user = someone()
        const first = yield* tokens.mint(user, "recovery")
        const other = yield* tokens.mint(user, "verification")
        const second = yield* tokens.mint(user, "recovery")
        expect(yield* tokens.redeem(first.value, "recovery")).toEqual(Option.none())
        expect(yield* tokens.redeem(second.value, "recovery")).toEqual(Option.some(user))
        expect(yield* tokens.redeem(other.value, "verification")).toEqual(Option.some(user))
      })
    )

    it.effect("keeps the links to report a change side by side, each until it expires or all are revoked", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        const user = someone()
        const other = yield* tokens.mint(user, "recovery")
        const first = yield* tokens.mint(user, "not_me", "60 seconds")
        yield* TestClock.adjust("30 seconds")
        const second = yield* tokens.mint(user, "not_me", "60 seconds")
        const third = yield* tokens.mint(user, "not_me", "60 seconds")
        const checks = () => Effect.forEach([first, second, third], ({ value }) => tokens.check(value, "not_me"))
        expect(yield* checks()).toEqual([true, true, true])
        expect(yield* tokens.redeem(second.value, "recovery")).toEqual(Option.none())
        expect(yield* tokens.redeem(second.value, "not_me")).toEqual(Option.some(user))
        expect(yield* tokens.redeem(second.value, "not_me")).toEqual(Option.none())
        expect(yield* checks()).toEqual([true, false, true])
        yield* TestClock.adjust("30 seconds")
        expect(yield* checks()).toEqual([false, false, true])
        expect(yield* tokens.revoke(user, "not_me")).toBe(1)
        expect(yield* checks()).toEqual([false, false, false])
        expect(yield* tokens.check(other.value, "recovery")).toBe(true)
      })
    )

    it.effect("accepts a link to report a change that an older version stored", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        const user = someone()
        const { value } = yield* tokens.mint(user, "not_me")
        yield* query((sql) => sql`UPDATE ${sql(tables.tokens)} SET purpose = 'not_me' WHERE user_id = ${user}`)
        yield* tokens.mint(user, "not_me")
        expect(yield* tokens.check(value, "not_me")).toBe(true)
        expect(yield* tokens.redeem(value, "not_me")).toEqual(Option.some(user))
        expect(yield* tokens.revoke(user, "not_me")).toBe(1)
      })
    )

    it.effect("leaves one live token when many are minted at once", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        const user = someone()
        const minted = yield* Effect.all(
          Array.from({ length: 20 }, () => tokens.mint(user, "recovery")),
          { concurrency: "unbounded" }
        )
        const live = yield* Effect.filter(minted, ({ value }) => tokens.check(value, "recovery"))
        expect(live).toHaveLength(1)
      })
    )

    it.effect("redeems a live token once, deleting its row, and returns the owner", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        const user = someone()
        const { value } = yield* tokens.mint(user, "verification")
        expect(yield* tokens.redeem(value, "verification")).toEqual(Option.some(user))
        expect(yield* rows(user)).toEqual([])
        expect(yield* tokens.redeem(value, "verification")).toEqual(Option.none())
      })
    )

    it.effect("lets one of 50 concurrent redeems win", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        const user = someone()
        const { value } = yield* tokens.mint(user, "recovery")
        const outcomes = yield* Effect.all(
          Array.from({ length: 50 }, () => tokens.redeem(value, "recovery")),
          { concurrency: "unbounded" }
        )
        expect(outcomes.filter(Option.isSome)).toEqual([Option.some(user)])
      })
    )

    it.effect("does not consume the row for a tampered verifier", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        const user = someone()
        const { value } = yield* tokens.mint(user, "recovery")
        expect(yield* tokens.redeem(tampered(value), "recovery")).toEqual(Option.none())
        expect(yield* tokens.check(tampered(value), "recovery")).toBe(false)
        expect(yield* tokens.redeem(value, "recovery")).toEqual(Option.some(user))
      })
    )

    it.effect("does not consume the row for another purpose", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        const user = someone()
        const { value } = yield* tokens.mint(user, "verification")
        expect(yield* tokens.redeem(value, "recovery")).toEqual(Option.none())
        expect(yield* tokens.check(value, "recovery")).toBe(false)
        expect(yield* tokens.redeem(value, "verification")).toEqual(Option.some(user))
      })
    )

    for (const contact of ["redeem", "check"] as const) {
      it.effect(`purges an expired token on ${contact}, to the second`, () =>
        Effect.gen(function* () {
          const tokens = yield* Tokens
          const user = someone()
          const { value } = yield* tokens.mint(user, "recovery", "60 seconds")
          yield* TestClock.adjust("59 seconds")
          expect(yield* tokens.check(value, "recovery")).toBe(true)
          yield* TestClock.adjust("1 second")
          const outcome = yield* contact === "check"
            ? tokens.check(value, "recovery")
            : Effect.map(tokens.redeem(value, "recovery"), Option.isSome)
          expect(outcome).toBe(false)
          expect(yield* rows(user)).toEqual([])
        })
      )

      it.effect(`purges an expired token on ${contact} even with a tampered verifier or another purpose`, () =>
        Effect.gen(function* () {
          const tokens = yield* Tokens
          const user = someone()
          const { value } = yield* tokens.mint(user, "recovery", "60 seconds")
          yield* TestClock.adjust("60 seconds")
          const outcome = yield* contact === "check"
            ? tokens.check(tampered(value), "verification")
            : Effect.map(tokens.redeem(tampered(value), "verification"), Option.isSome)
          expect(outcome).toBe(false)
          expect(yield* rows(user)).toEqual([])
        })
      )
    }

    it.effect("checks without consuming", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        const user = someone()
        const { value } = yield* tokens.mint(user, "recovery")
        expect([yield* tokens.check(value, "recovery"), yield* tokens.check(value, "recovery")]).toEqual([true, true])
        expect(yield* tokens.redeem(value, "recovery")).toEqual(Option.some(user))
      })
    )

    it.effect("revokes one purpose or all of them, and counts", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        const user = someone()
        const recovery = yield* tokens.mint(user, "recovery")
        const verification = yield* tokens.mint(user, "verification")
        expect(yield* tokens.revoke(user, "recovery")).toBe(1)
        expect(yield* tokens.check(recovery.value, "recovery")).toBe(false)
        expect(yield* tokens.check(verification.value, "verification")).toBe(true)
        yield* tokens.mint(user, "recovery")
        expect(yield* tokens.revoke(user)).toBe(2)
        expect(yield* tokens.revoke(user)).toBe(0)
      })
    )

    it.effect("sweeps what has expired, in batches, and counts", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        yield* tokens.sweep
        const keeper = someone()
        const kept = yield* tokens.mint(keeper, "recovery", "1 hour")
        yield* Effect.forEach(Array.from({ length: 600 }), () => tokens.mint(someone(), "recovery", "1 second"))
        yield* TestClock.adjust("1 second")
        expect(yield* tokens.sweep).toBe(600)
        expect(yield* tokens.sweep).toBe(0)
        expect(yield* tokens.redeem(kept.value, "recovery")).toEqual(Option.some(keeper))
      })
    )

    it.effect("persists the sha256 of the verifier only", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        const user = someone()
        const { value } = yield* tokens.mint(user, "recovery")
        const verifier = SplitToken.parse(Redacted.value(value))?.verifier ?? ""
        const stored = JSON.stringify(yield* rows(user))
        expect(stored).not.toContain(verifier)
        expect(stored).toMatch(/"verifier":"[0-9a-f]{64}"/)
      })
    )

    it.effect("fails with a typed error for an empty user or a ttl below 1", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        expect((yield* Effect.flip(tokens.mint(AccountId.make(""), "recovery")))._tag).toBe("InvalidTokenRequest")
        expect((yield* Effect.flip(tokens.mint(someone(), "recovery", 999)))._tag).toBe("InvalidTokenRequest")
      })
    )

    it.effect("returns None for malformed and unknown tokens", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        for (const text of ["", ".", "x", `${"0".repeat(16)}.${"0".repeat(64)}`, "'; DROP TABLE tokens; --", "\0"]) {
          expect(yield* tokens.redeem(Redacted.make(text), "recovery")).toEqual(Option.none())
          expect(yield* tokens.check(Redacted.make(text), "recovery")).toBe(false)
        }
      })
    )
  })
})

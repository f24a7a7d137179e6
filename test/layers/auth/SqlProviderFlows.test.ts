import { expect, layer } from "@effect/vitest"
import { Effect, Option, TestClock } from "effect"
import { ProviderFlows } from "../../../src/auth/internal/providers/ProviderFlows.ts"
import { stores } from "./Stores.ts"
import { describeTables, query } from "./TableVariants.ts"

describeTables("ProviderFlows", (database, tables) => {
  layer(stores(database, {}, tables))((it) => {
    it.effect("let one of many use a state, and store its digest", () =>
      Effect.gen(function* () {
        const flows = yield* ProviderFlows
        const claims = yield* Effect.all(
          Array.from({ length: 6 }, () => flows.claim("a state")),
          { concurrency: "unbounded" }
        )
        expect(claims.filter(Boolean)).toHaveLength(1)
        expect(yield* flows.claim("another")).toBe(true)
        const rows = yield* query((sql) => sql`SELECT * FROM ${sql(tables.providerFlows)}`)
        expect(JSON.stringify(rows)).not.toContain("a state")
      })
    )

    it.effect("give the data of a code once, and not after a minute", () =>
      Effect.gen(function* () {
        const flows = yield* ProviderFlows
        yield* flows.issue("code", "data")
        const redeemed = yield* Effect.all([flows.redeem("code"), flows.redeem("code")], { concurrency: "unbounded" })
        expect(redeemed.filter(Option.isSome)).toEqual([Option.some("data")])
        yield* flows.issue("late", "data")
        // A used state is no code.
        yield* flows.claim("state")
        expect(yield* flows.redeem("state")).toEqual(Option.none())
        yield* TestClock.adjust("60 seconds")
        expect(yield* flows.redeem("late")).toEqual(Option.none())
      })
    )

    it.effect("sweep what has expired", () =>
      Effect.gen(function* () {
        const flows = yield* ProviderFlows
        yield* flows.sweep
        yield* flows.claim("swept")
        yield* TestClock.adjust("9 minutes")
        expect(yield* flows.claim("swept")).toBe(false)
        yield* TestClock.adjust("2 minutes")
        expect(yield* flows.sweep).toBeGreaterThan(0)
      })
    )
  })
})

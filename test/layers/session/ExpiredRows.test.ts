// A sweep beside transactions that are open.
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Array, Deferred, Effect, Fiber, TestClock } from "effect"
import { Trust } from "../../../src/auth/Trust.ts"
import { postgres } from "../../support/Databases.ts"
import { enroll, stores } from "../auth/Stores.ts"

describe("A sweep", () => {
  layer(stores(postgres))((it) => {
    /** Holds the rows of the devices that were issued first until the effect is done. */
    const holding = <A>(most: number, effect: Effect.Effect<A>) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [held, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const oldest = sql`SELECT selector FROM trusts ORDER BY expires LIMIT ${most}`
        const hold = sql`SELECT 1 FROM trusts WHERE selector IN (${oldest}) FOR UPDATE`.pipe(
          Effect.zipRight(Deferred.succeed(held, undefined)),
          Effect.zipRight(Deferred.await(done)),
          sql.withTransaction
        )
        const holder = yield* Effect.fork(hold)
        yield* Deferred.await(held)
        const result = yield* effect
        yield* Deferred.succeed(done, undefined)
        yield* Fiber.join(holder)
        return result
      })

    it.effect("leaves what a transaction holds to the next one, and waits for nobody", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const { id } = yield* enroll
        yield* Effect.all(Array.makeBy(3, () => trust.issue(id, "1 hour")))
        yield* TestClock.adjust("2 hours")
        expect(yield* holding(1, trust.sweep)).toBe(2)
        expect(yield* trust.sweep).toBe(1)
      })
    )

    it.effect("ends when it finds nothing but what a transaction holds", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const { id } = yield* enroll
        yield* Effect.all(Array.makeBy(600, (index) => trust.issue(id, `${3600 + index} seconds`)))
        yield* TestClock.adjust("3 hours")
        expect(yield* holding(600, trust.sweep)).toBe(0)
        expect(yield* trust.sweep).toBe(600)
      })
    )
  })
})

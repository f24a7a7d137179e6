import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Scope, Exit, TestClock } from "effect"
import * as HealthChecks from "../../../src/observability/HealthChecks.ts"

const run = Effect.flatMap(HealthChecks.HealthChecks, ({ run }) => run)

const withChecks = (...checks: ReadonlyArray<HealthChecks.HealthCheck>) =>
  Effect.provide(
    Layer.mergeAll(Layer.empty, ...checks.map(HealthChecks.add)).pipe(Layer.provideMerge(HealthChecks.layer))
  )

describe("Health checks", () => {
  it.effect("are none at first", () =>
    Effect.gen(function* () {
      expect(yield* run).toEqual([])
    }).pipe(withChecks())
  )

  it.effect("tell which dependency fails, dies or takes too long, each by itself", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(run)
      yield* TestClock.adjust("2 seconds")
      yield* TestClock.adjust("3 seconds")
      const results = yield* Fiber.join(fiber)
      expect(results.map(({ name, status }) => [name, status])).toEqual([
        ["database", "ok"],
        ["disk", "failed"],
        ["cache", "failed"],
        ["search", "timeout"],
        ["slow", "timeout"]
      ])
      expect(results.map(({ milliseconds }) => milliseconds)).toEqual([0, 0, 0, 2000, 5000])
    }).pipe(
      withChecks(
        { name: "database", check: Effect.void },
        { name: "disk", check: Effect.fail("full") },
        { name: "cache", check: Effect.die("broken") },
        { name: "search", check: Effect.uninterruptible(Effect.never) },
        { name: "slow", check: Effect.never, timeout: "5 seconds" }
      )
    )
  )

  it.effect("have figures within the timeout of their check, however long others take", () =>
    Effect.gen(function* () {
      const read = Effect.flatMap(run, (results) =>
        Effect.forEach(results, ({ figures }): Effect.Effect<unknown> => figures ?? Effect.succeed("none"), {
          concurrency: "unbounded"
        })
      )
      const fiber = yield* Effect.fork(read)
      yield* TestClock.adjust("2 seconds")
      yield* TestClock.adjust("10 millis")
      expect(yield* Fiber.join(fiber)).toEqual(["none", {}, { ready: 1 }])
    }).pipe(
      withChecks(
        { name: "database", check: Effect.never },
        { name: "jobs", check: Effect.void, figures: Effect.uninterruptible(Effect.never) },
        { name: "cache", check: Effect.void, figures: Effect.succeed({ ready: 1 }) }
      )
    )
  )

  it.effect("are gone with their scope", () =>
    Effect.gen(function* () {
      const { push } = yield* HealthChecks.HealthChecks
      const scope = yield* Scope.make()
      yield* Scope.extend(push({ name: "own", check: Effect.void }), scope)
      expect(yield* run).toHaveLength(1)
      yield* Scope.close(scope, Exit.void)
      expect(yield* run).toEqual([])
    }).pipe(withChecks())
  )
})

import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope, TestClock } from "effect"
import * as OtlpBatches from "../../../layers/observability/internal/OtlpBatches.ts"
import * as EffectMetrics from "../../support/EffectMetrics.ts"
import { ExportFailed, type ExportSummary } from "../../../src/observability/MetricsExporter.ts"

const accepted: ExportSummary = { status: 200, rejected: 0, message: "" }
const away = new ExportFailed({ status: 503, reason: "away" })
const refused = new ExportFailed({ status: 400, reason: "malformed" })

type Outcome = Effect.Effect<ExportSummary, ExportFailed>

/** Batches that are sent to a list; the outcomes are those given, then success. */
const collecting = (
  outcomes: Array<Outcome> = [],
  options: { readonly capacity?: number; readonly batch?: number } = {}
) =>
  Effect.gen(function* () {
    const sent: Array<ReadonlyArray<number>> = []
    const attempts: Array<ReadonlyArray<number>> = []
    const scope = yield* Scope.make()
    const push = yield* OtlpBatches.make<number>({
      name: "numbers",
      signal: "traces",
      delay: "5 seconds",
      send: (records) => {
        attempts.push(records)
        const outcome = outcomes.shift() ?? Effect.succeed(accepted)
        return Effect.tap(outcome, () => void sent.push(records))
      },
      ...options
    }).pipe(Scope.extend(scope))
    // The loop waits for the first record.
    yield* TestClock.adjust(0)
    return { push, sent, attempts, stop: Scope.close(scope, Exit.void) }
  })

describe("Records for a collector", () => {
  it.effect("are sent together after a while", () =>
    Effect.gen(function* () {
      const { push, sent } = yield* collecting()
      push(1)
      push(2)
      yield* TestClock.adjust("4 seconds")
      expect(sent).toEqual([])
      yield* TestClock.adjust("1 seconds")
      expect(sent).toEqual([[1, 2]])
      yield* TestClock.adjust("1 minute")
      expect(sent).toHaveLength(1)
    })
  )

  it.effect("are sent at once when they fill a batch", () =>
    Effect.gen(function* () {
      const { push, sent } = yield* collecting([], { batch: 3 })
      for (const record of [1, 2, 3, 4]) push(record)
      yield* TestClock.adjust(0)
      expect(sent).toEqual([[1, 2, 3], [4]])
    })
  )

  it.effect("wait while the collector is away, up to a bound", () =>
    Effect.gen(function* () {
      const { attempts, push, sent } = yield* collecting([Effect.fail(away), Effect.fail(away)], {
        capacity: 4,
        batch: 2
      })
      for (const record of [1, 2, 3, 4, 5, 6]) push(record)
      yield* TestClock.adjust("5 seconds")
      expect(attempts.length).toBeGreaterThan(0)
      expect(sent).toEqual([])
      yield* TestClock.adjust("10 seconds")
      expect(sent).toEqual([
        [1, 2],
        [3, 4]
      ])
    })
  )

  it.effect("are dropped when the collector refuses them, and those after them are sent", () =>
    Effect.gen(function* () {
      const { push, sent } = yield* collecting([Effect.fail(refused)], { batch: 2 })
      for (const record of [1, 2, 3]) push(record)
      yield* TestClock.adjust(0)
      expect(sent).toEqual([[3]])
    })
  )

  it.effect("are counted when they are dropped, from 0 on", () =>
    Effect.gen(function* () {
      const name = "telemetry_dropped_total"
      const rejected = Effect.succeed({ ...accepted, rejected: 2, message: "too old" })
      const work = Effect.gen(function* () {
        const { push, stop } = yield* collecting([Effect.fail(refused), rejected], { capacity: 3, batch: 3 })
        expect(yield* EffectMetrics.read(name)).toHaveProperty("signal=traces")
        for (let number = 0; number < 5; number++) push(number)
        yield* TestClock.adjust("5 seconds")
        for (let number = 0; number < 3; number++) push(number)
        yield* TestClock.adjust("5 seconds")
        yield* stop
      })
      // Two find no place, three are refused, two of the next three are rejected.
      expect(yield* EffectMetrics.growth(name, work)).toEqual({ "signal=traces": 7 })
    })
  )

  it.effect("are all sent when the program stops, also those of an export that hangs", () =>
    Effect.gen(function* () {
      const began = yield* Deferred.make<void>()
      const hanging = Effect.zipRight(Deferred.succeed(began, undefined), Effect.never)
      const { push, sent, stop } = yield* collecting([hanging], { batch: 2 })
      for (const record of [1, 2, 3]) push(record)
      yield* Deferred.await(began)
      const stopping = yield* Effect.fork(stop)
      yield* TestClock.adjust("2500 millis")
      yield* Fiber.join(stopping)
      expect(sent).toEqual([[1, 2], [3]])
    })
  )

  it.effect("are sent once, though the program stops while they are on their way", () =>
    Effect.gen(function* () {
      const began = yield* Deferred.make<void>()
      const arrived = yield* Deferred.make<ExportSummary>()
      const slow = Effect.zipRight(Deferred.succeed(began, undefined), Deferred.await(arrived))
      const { attempts, push, sent, stop } = yield* collecting([slow], { batch: 2 })
      for (const record of [1, 2, 3]) push(record)
      yield* Deferred.await(began)
      const stopping = yield* Effect.fork(stop)
      yield* TestClock.adjust("1 seconds")
      yield* Deferred.succeed(arrived, accepted)
      yield* Fiber.join(stopping)
      expect(sent).toEqual([[1, 2], [3]])
      expect(attempts).toEqual(sent)
    })
  )

  it.effect("do not keep the program from stopping when the collector hangs", () =>
    Effect.gen(function* () {
      const { attempts, push, sent, stop } = yield* collecting([Effect.never, Effect.never], { batch: 2 })
      for (const record of [1, 2, 3]) push(record)
      const stopping = yield* Effect.fork(stop)
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(stopping)
      expect(attempts).toEqual([
        [1, 2],
        [1, 2]
      ])
      expect(sent).toEqual([])
    })
  )
})

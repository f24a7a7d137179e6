import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Redacted, Scope, TestClock } from "effect"
import * as MetricsPush from "../../../layers/observability/internal/MetricsPush.ts"
import { Fleet } from "../../../src/observability/Fleet.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import * as Sampler from "../../../src/observability/internal/Sampler.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import { eventually } from "../../support/Eventually.ts"
import { receiver } from "../../support/OtlpReceiver.ts"

const settings = (endpoint: string, metricsInterval: number) => ({
  collector: { endpoint, service: "shop", headers: Redacted.make({}), timeout: 10_000 },
  sampler: Sampler.make("always_on", 1),
  traces: true,
  logs: true,
  metrics: true,
  delay: 1000,
  metricsInterval
})

/** A fleet whose counter grows with each look at it. */
const fleet = () => {
  let value = 0
  const gather = Effect.sync(() => ({
    started: 50,
    snapshot: Snapshot.make(100, [
      { name: "looks_total", type: "counter", help: "Looks", series: [{ labels: Labels.of({}), value: ++value }] }
    ])
  }))
  return Layer.succeed(
    Fleet,
    Fleet.of({ gather, dump: Effect.void, retire: () => Effect.void, aggregate: () => Effect.die("unused") })
  )
}

describe("The metrics of a fleet", () => {
  it.scopedLive("are sent at an interval, also after a failure", () =>
    Effect.gen(function* () {
      const collector = yield* receiver
      collector.refusals.push(400)
      yield* Layer.build(Layer.provide(MetricsPush.layer(settings(collector.url, 20)), fleet()))
      yield* eventually(
        Effect.sync(() => collector.metrics.length),
        (count) => count >= 2
      )
      expect(collector.malformed).toEqual([])
      expect(collector.metrics[0]?.metrics.has("looks_total")).toBe(true)
    })
  )

  it.scopedLive("are sent once more when the program stops", () =>
    Effect.gen(function* () {
      const collector = yield* receiver
      const scope = yield* Scope.make()
      const layer = Layer.provide(MetricsPush.layer(settings(collector.url, 3_600_000)), fleet())
      yield* Layer.buildWithScope(layer, scope)
      expect(collector.requests()).toBe(0)
      yield* Scope.close(scope, Exit.void)
      expect(collector.metrics).toHaveLength(1)
    })
  )

  it.effect("do not keep the program from stopping when they cannot be gathered", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const hanging = Fleet.of({
        gather: Effect.never,
        dump: Effect.void,
        retire: () => Effect.void,
        aggregate: () => Effect.die("unused")
      })
      const layer = MetricsPush.layer(settings("http://127.0.0.1:9", 3_600_000))
      yield* Layer.buildWithScope(Layer.provide(layer, Layer.succeed(Fleet, hanging)), scope)
      const stopping = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* TestClock.adjust("5 seconds")
      expect(Exit.isSuccess(yield* Fiber.await(stopping))).toBe(true)
    })
  )
})

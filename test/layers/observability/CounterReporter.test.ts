import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Layer } from "effect"
import * as CounterReporter from "../../../layers/observability/CounterReporter.ts"
import * as WorkerReporters from "../../../layers/errors/WorkerReporters.ts"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import * as ReportLimits from "../../../src/errors/internal/ReportLimits.ts"
import { Reporters } from "../../../src/errors/Reporters.ts"
import { Observability } from "../../../src/observability/Observability.ts"

const layer = CounterReporter.layer.pipe(
  Layer.provideMerge(Layer.merge(WorkerReporters.layer, WorkerObservability.layerWith({ collectors: false })))
)

const counts = Effect.gen(function* () {
  const { gather } = yield* Observability
  const series = (yield* gather).metrics.get("exceptions_total")?.series ?? []
  return series.map((sample) => ("value" in sample ? [sample.labels.record, sample.value] : []))
})

describe("CounterReporter", () => {
  it.scoped("counts exceptions by class", () =>
    Effect.gen(function* () {
      const { notify } = yield* Reporters
      const error = new TypeError("x")
      for (const value of [error, error, new TypeError("y"), "text"]) yield* notify(Cause.die(value))
      expect(yield* counts).toEqual([
        [{}, 4],
        [{ class: "TypeError" }, 3],
        [{ class: "string" }, 1]
      ])
    }).pipe(Effect.provide(layer))
  )

  it.scoped("is there with 0 before the first exception", () =>
    Effect.gen(function* () {
      expect(yield* counts).toEqual([[{}, 0]])
    }).pipe(Effect.provide(layer))
  )

  it.scoped("bounds the number of classes", () =>
    Effect.gen(function* () {
      const { notify } = yield* Reporters
      for (let index = 0; index < 300; index++) yield* notify(Cause.die({ _tag: `Class${index}` }))
      const all = yield* counts
      expect(all).toHaveLength(ReportLimits.maxClasses + 2)
      expect(all[0]).toEqual([{}, 300])
      expect(
        all
          .slice(1)
          .map(([, value]) => Number(value))
          .reduce((sum, value) => sum + value)
      ).toBe(300)
    }).pipe(Effect.provide(layer))
  )
})

// Counts exceptions in `exceptions_total`: all of them without a label, and again by class.
//
// The series without a label starts with 0, so that `increase()` sees the first exception. A series by class begins with
// its first exception, which `increase()` cannot see.
import { Effect, Layer } from "effect"
import * as Counter from "../../src/observability/Counter.ts"
import type { InvalidInstrument } from "../../src/observability/Instrument.ts"
import { Observability } from "../../src/observability/Observability.ts"
import * as ReportLimits from "../../src/errors/internal/ReportLimits.ts"
import { Reporters } from "../../src/errors/Reporters.ts"

/**
 * Counts exceptions in total and by class.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { WorkerReporters } from "effect-framework/layers/errors"
 * import { CounterReporter, WorkerObservability } from "effect-framework/layers/observability"
 *
 * // For a program that is made of single layers: `AppLayer.layer` counts them itself.
 * export const counted = CounterReporter.layer.pipe(
 *   Layer.provideMerge(Layer.merge(WorkerReporters.layer, WorkerObservability.layer))
 * )
 * ```
 */
export const layer: Layer.Layer<never, InvalidInstrument, Reporters | Observability> = Layer.scopedDiscard(
  Effect.gen(function* () {
    const reporters = yield* Reporters
    const { metrics } = yield* Observability
    const help = "Exceptions that were reported: all without a label, and again by class."
    const total = yield* Counter.make("exceptions_total", { help })
    const counters = yield* Counter.family("exceptions_total", {
      help,
      labels: ["class"] as const,
      limit: ReportLimits.maxClasses
    })
    yield* metrics.push(total)
    yield* metrics.push(counters)
    yield* reporters.add((throwable) => {
      total.increment()
      counters.with({ class: throwable.class }).increment()
    })
  })
)

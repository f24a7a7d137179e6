// Counts exceptions in `exceptions_total`: all of them without a label, and again by class.
//
// The series without a label is there with 0 from the start, so that `increase()` sees the first exception. A series by
// class begins with its first exception, which `increase()` cannot see.
import { Effect, Layer } from "effect"
import * as Counter from "../../src/observability/Counter.ts"
import type { InvalidInstrument } from "../../src/observability/Instrument.ts"
import { Observability } from "../../src/observability/Observability.ts"
import { Reporters } from "../../src/errors/Reporters.ts"

/** A class name can come from outside; beyond this many the rest is counted together. */
export const classes = 100

/** The counter, in all and by class; classes beyond its bound are counted together. */
export const layer: Layer.Layer<never, InvalidInstrument, Reporters | Observability> = Layer.scopedDiscard(
  Effect.gen(function* () {
    const reporters = yield* Reporters
    const { metrics } = yield* Observability
    const help = "Exceptions that were reported: all without a label, and again by class."
    const total = yield* Counter.make("exceptions_total", { help })
    const counters = yield* Counter.family("exceptions_total", { help, labels: ["class"] as const, limit: classes })
    yield* metrics.push(total)
    yield* metrics.push(counters)
    yield* reporters.push((throwable) => {
      total.increment()
      counters.with({ class: throwable.class }).increment()
    })
  })
)

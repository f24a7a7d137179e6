// Counts exceptions by class in `exceptions_total`.
import { Effect, Layer } from "effect"
import * as Counter from "../../src/observability/Counter.ts"
import type { InvalidInstrument } from "../../src/observability/Instrument.ts"
import { Observability } from "../../src/observability/Observability.ts"
import { Reporters } from "../../src/errors/Reporters.ts"

/** A class name can come from outside; beyond this many the rest is counted together. */
export const classes = 100

/** The counter, labelled by class; classes beyond its bound are counted together. */
export const layer: Layer.Layer<never, InvalidInstrument, Reporters | Observability> = Layer.scopedDiscard(
  Effect.gen(function* () {
    const reporters = yield* Reporters
    const { metrics } = yield* Observability
    const options = { help: "Exceptions that were reported, by class.", labels: ["class"] as const, limit: classes }
    const counters = yield* Counter.family("exceptions_total", options)
    yield* metrics.push(counters)
    yield* reporters.push((throwable) => counters.with({ class: throwable.class }).increment())
  })
)

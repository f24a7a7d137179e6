// Sends the metrics of the fleet at an interval, and once more when the program stops.
import { Effect, Layer, Schedule } from "effect"
import { Fleet } from "../../../src/observability/Fleet.ts"
import { MetricsExporter } from "../../../src/observability/MetricsExporter.ts"
import type { TelemetryConfig } from "../../../src/observability/internal/TelemetryConfig.ts"

/** How long the last export may take once the program stops. */
const deadline = "5 seconds"

const make = (interval: number) =>
  Effect.gen(function* () {
    const fleet = yield* Fleet
    const exporter = yield* MetricsExporter
    let isFailing = false
    const report = (reason: string | undefined) => {
      if ((reason !== undefined) === isFailing) return Effect.void
      isFailing = reason !== undefined
      return reason === undefined
        ? Effect.logInfo("The collector accepts metrics again")
        : Effect.logWarning(`The collector does not accept metrics: ${reason}`)
    }
    const push = Effect.flatMap(fleet.gather, exporter.send).pipe(
      Effect.matchEffect({
        onFailure: ({ message }) => report(message),
        onSuccess: ({ message, rejected }) => report(rejected > 0 ? `${rejected} were rejected ${message}` : undefined)
      }),
      Effect.withTracerEnabled(false)
    )
    yield* Effect.addFinalizer(() => push.pipe(Effect.disconnect, Effect.interruptible, Effect.timeoutOption(deadline)))
    yield* Effect.forkScoped(Effect.delay(Effect.repeat(push, Schedule.spaced(interval)), interval))
  })

/** Sends with these settings; nothing when they name no collector. One process of a fleet sends for all. */
export const layer = ({ collector, metrics, metricsInterval }: TelemetryConfig): Layer.Layer<never, never, Fleet> =>
  collector === undefined || !metrics
    ? Layer.empty
    : Layer.provide(Layer.scopedDiscard(make(metricsInterval)), exporter(collector))

// Loaded by the programs that have a collector.
const exporter = (collector: NonNullable<TelemetryConfig["collector"]>): Layer.Layer<MetricsExporter> =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() => import("../OtlpMetricsExporter.ts")),
      (OtlpMetricsExporter) => OtlpMetricsExporter.layer(collector)
    )
  )

// Sends traces and logs of this process to a collector while it runs.
import { type ConfigError, Effect, Layer } from "effect"
import cluster from "node:cluster"
import { config, type TelemetryConfig } from "../../src/observability/internal/TelemetryConfig.ts"
import * as UnusedVariables from "../../src/observability/internal/UnusedVariables.ts"
import { layerSilent, type LogSink } from "./internal/ExportedExceptions.ts"

export { config } from "../../src/observability/internal/TelemetryConfig.ts"
export type { TelemetryConfig } from "../../src/observability/internal/TelemetryConfig.ts"
export type { LogSink } from "./internal/ExportedExceptions.ts"

/**
 * Sends with these settings; nothing when they name no collector. Provide it below everything that is to be traced. A tracer
 * that was provided below it is used as it is.
 *
 * @example
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { OtlpTelemetry } from "effect-framework/layers/observability"
 *
 * // The variables and the version of the program, with spans that wait for a second at most.
 * export const telemetry = Layer.unwrapEffect(
 *   Effect.map(OtlpTelemetry.config({ "service.version": "1.2.3" }), (settings) =>
 *     OtlpTelemetry.layer({ ...settings, delay: 1000 })
 *   )
 * )
 * ```
 */
export const layer = (settings: TelemetryConfig): Layer.Layer<LogSink> => {
  const { collector } = settings
  if (collector === undefined) return layerSilent
  return Layer.unwrapEffect(
    Effect.map(
      Effect.zipRight(
        warn,
        Effect.promise(() => import("./internal/OtlpExport.ts"))
      ),
      (OtlpExport) => OtlpExport.layer(settings, collector)
    )
  )
}

// The supervisor says it for its workers.
const warn: Effect.Effect<void> = Effect.suspend(() => {
  const unused = cluster.isWorker ? [] : UnusedVariables.of(process.env)
  return unused.length === 0 ? Effect.void : Effect.logWarning(UnusedVariables.line(unused))
})

/**
 * Sends with the settings of the environment.
 *
 * @example
 * ```ts
 * import { NodeRuntime } from "@effect/platform-node"
 * import { Effect } from "effect"
 * import { OtlpTelemetry } from "effect-framework/layers/observability"
 *
 * const count = Effect.withSpan(Effect.log("The stock is counted"), "Stock.count")
 *
 * // A script with `OTEL_EXPORTER_OTLP_ENDPOINT`: its span and its log line are sent before it ends.
 * NodeRuntime.runMain(Effect.provide(count, OtlpTelemetry.layerConfig))
 * ```
 */
export const layerConfig: Layer.Layer<LogSink, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(config(), layer)
)

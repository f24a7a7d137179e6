// Sends metrics over OTLP/HTTP as JSON.
import { type ConfigError, Effect, Layer } from "effect"
import { config, type MetricsExporter, type ExporterConfig } from "../../src/observability/MetricsExporter.ts"
import * as OtlpClient from "./internal/OtlpClient.ts"
import * as ThreadTransport from "./internal/ThreadTransport.ts"

/** Sends with these settings. */
export const layer = (settings: ExporterConfig): Layer.Layer<MetricsExporter> =>
  Layer.provide(OtlpClient.exporter(settings), ThreadTransport.layer)

/**
 * Sends with the settings of the environment.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { OtlpMetricsExporter } from "effect-framework/layers/observability"
 * import { type Fleet, MetricsExporter } from "effect-framework/observability"
 *
 * export const send = (fleet: Fleet.FleetSnapshot) =>
 *   Effect.provide(
 *     Effect.flatMap(MetricsExporter.MetricsExporter, (exporter) => exporter.send(fleet)),
 *     OtlpMetricsExporter.layerConfig
 *   )
 * ```
 */
export const layerConfig: Layer.Layer<MetricsExporter, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(config(), layer)
)

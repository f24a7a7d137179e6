// Sends metrics over OTLP/HTTP as JSON.
import { type ConfigError, Effect, Layer } from "effect"
import { config, type MetricsExporter, type Settings } from "../../src/observability/MetricsExporter.ts"
import * as OtlpSender from "./OtlpSender.ts"

// Loaded by the programs that export: the client brings a whole HTTP stack.
const client = Layer.unwrapEffect(
  Effect.promise(async () => (await import("@effect/platform-node/NodeHttpClient")).layerUndici)
)

/** Sends with these settings. */
export const layer = (settings: Settings): Layer.Layer<MetricsExporter> =>
  Layer.provide(OtlpSender.layer(settings), client)

/** Sends with the settings of the environment. */
export const layerConfig: Layer.Layer<MetricsExporter, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(config(), layer)
)

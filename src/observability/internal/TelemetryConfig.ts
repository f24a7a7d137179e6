// What a program sends to its collector while it runs, and how often.
import { Config } from "effect"
import * as Setting from "../../config/internal/Setting.ts"
import * as MetricsExporter from "../MetricsExporter.ts"
import * as Sampler from "./Sampler.ts"

/** Nothing is sent unless a collector is named. */
export interface TelemetryConfig {
  /** The collector and the resource; `undefined` when nothing is sent. */
  readonly collector: MetricsExporter.ExporterConfig | undefined
  readonly sampler: Sampler.Sampler
  readonly traces: boolean
  readonly logs: boolean
  readonly metrics: boolean
  /** Milliseconds that a span or a log record waits for others. */
  readonly delay: number
  /** Milliseconds between two exports of the metrics. */
  readonly metricsInterval: number
}

const exported = (name: string) =>
  Config.map(Setting.choice(name, "otlp", ["otlp", "none"]), (exporter) => exporter === "otlp")

/** What the variables say besides the collector. */
interface Options extends Omit<TelemetryConfig, "collector"> {
  /** Whether `OTEL_EXPORTER_OTLP_ENDPOINT` is set. */
  readonly hasCollector: boolean
  /** Whether nothing is sent, whatever else is set. */
  readonly isDisabled: boolean
}

/** The variables that `MetricsExporter.config` does not read. */
export const options: Config.Config<Options> = Config.all({
  hasCollector: Config.map(Setting.text("OTEL_EXPORTER_OTLP_ENDPOINT", ""), (endpoint) => endpoint !== ""),
  isDisabled: Setting.flag("OTEL_SDK_DISABLED", false),
  sampler: Sampler.config,
  traces: exported("OTEL_TRACES_EXPORTER"),
  logs: exported("OTEL_LOGS_EXPORTER"),
  metrics: exported("OTEL_METRICS_EXPORTER"),
  delay: Setting.integer("OTEL_BSP_SCHEDULE_DELAY", 5000, { min: 1, max: 3_600_000 }),
  metricsInterval: Setting.integer("OTEL_METRIC_EXPORT_INTERVAL", 60_000, { min: 1, max: 86_400_000 })
})

/** The options with their collector. A kind of data is sent when it has an address: its own, or the one of all. */
export const make = (
  { hasCollector, isDisabled, ...rest }: Options,
  exporter: MetricsExporter.ExporterConfig
): TelemetryConfig => {
  const isSent = (signal: MetricsExporter.Signal): boolean =>
    !isDisabled && rest[signal] && (hasCollector || exporter.signals?.[signal]?.url !== undefined)
  const sent = { traces: isSent("traces"), logs: isSent("logs"), metrics: isSent("metrics") }
  return { ...rest, ...sent, collector: Object.values(sent).includes(true) ? exporter : undefined }
}

/** The settings from OpenTelemetry's environment variables; `attributes` are defaults for `OTEL_RESOURCE_ATTRIBUTES`. */
export const config = (attributes: Readonly<Record<string, string>> = {}): Config.Config<TelemetryConfig> =>
  Config.map(Config.all({ options, exporter: MetricsExporter.config(attributes) }), ({ exporter, options }) =>
    make(options, exporter)
  )

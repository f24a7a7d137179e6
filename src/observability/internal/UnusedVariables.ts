// The variables of OpenTelemetry's specification that have no effect here: a start names those that are set.

const tls = ["CERTIFICATE", "CLIENT_CERTIFICATE", "CLIENT_KEY"]
const otlp = ["", "TRACES_", "LOGS_", "METRICS_"]
const batches = ["EXPORT_TIMEOUT", "MAX_QUEUE_SIZE", "MAX_EXPORT_BATCH_SIZE"]

const names: ReadonlyArray<string> = [
  "OTEL_PROPAGATORS",
  "OTEL_LOG_LEVEL",
  "OTEL_CONFIG_FILE",
  ...batches.map((name) => `OTEL_BSP_${name}`),
  "OTEL_BLRP_SCHEDULE_DELAY",
  ...batches.map((name) => `OTEL_BLRP_${name}`),
  "OTEL_METRIC_EXPORT_TIMEOUT",
  "OTEL_METRICS_EXEMPLAR_FILTER",
  "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE",
  "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION",
  ...otlp.flatMap((signal) => tls.map((name) => `OTEL_EXPORTER_OTLP_${signal}${name}`)),
  ...["", "SPAN_", "LOGRECORD_"].flatMap((owner) => [
    `OTEL_${owner}ATTRIBUTE_VALUE_LENGTH_LIMIT`,
    `OTEL_${owner}ATTRIBUTE_COUNT_LIMIT`
  ]),
  "OTEL_SPAN_EVENT_COUNT_LIMIT",
  "OTEL_SPAN_LINK_COUNT_LIMIT",
  "OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT",
  "OTEL_LINK_ATTRIBUTE_COUNT_LIMIT"
]

// What is done anyway: to ask for it is no mistake, and platforms set the first one.
const done: Readonly<Record<string, string>> = {
  OTEL_PROPAGATORS: "baggage,tracecontext",
  OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "cumulative",
  OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION: "explicit_bucket_histogram"
}

const sorted = (text: string): string =>
  text
    .toLowerCase()
    .split(",")
    .map((word) => word.trim())
    .sort()
    .join(",")

const isUnused = (name: string, given: string): boolean => given !== "" && sorted(given) !== done[name]

/** The names of those that are set to something else than what is done anyway. */
export const of = (environment: { readonly [name: string]: string | undefined }): ReadonlyArray<string> =>
  names.filter((name) => isUnused(name, environment[name] ?? ""))

/** The line that names them, without their values. */
export const line = (found: ReadonlyArray<string>): string =>
  `Set, but without an effect in this program: ${found.join(", ")}. docs/observability.md has the OTEL_* variables that have one`

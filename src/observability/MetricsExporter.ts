// Sends the metrics of the fleet to an OpenTelemetry collector.
import { Config, Context, type Effect, Redacted, Schema } from "effect"
import * as Setting from "../config/internal/Setting.ts"
import type { FleetSnapshot } from "./Fleet.ts"
import * as OtlpResource from "./internal/export/OtlpResource.ts"

/** The data was accepted, except for the data points that the collector rejected. */
export interface ExportSummary {
  readonly status: number
  readonly rejected: number
  /** What the collector says about the rejected ones; empty when it says nothing. */
  readonly message: string
}

/** No data was accepted. The status is `undefined` when there was no response. */
export class ExportFailed extends Schema.TaggedError<ExportFailed>("effect-framework/observability/ExportFailed")(
  "ExportFailed",
  {
    status: Schema.UndefinedOr(Schema.Number),
    reason: Schema.String
  }
) {
  override get message(): string {
    return this.status === undefined ? this.reason : `${this.status} ${this.reason}`
  }
}

/** Sends snapshots to a collector and retries transient failures. An `Exporter`, in contrast, only encodes a snapshot. */
export class MetricsExporter extends Context.Tag("effect-framework/observability/MetricsExporter")<
  MetricsExporter,
  { readonly send: (fleet: FleetSnapshot) => Effect.Effect<ExportSummary, ExportFailed> }
>() {}

/** The collector, and the resource that the metrics belong to. */
export interface Settings {
  /** The base URL of the collector; `/v1/metrics` is appended. */
  readonly endpoint: string
  readonly service: string
  /** Further attributes of the resource, such as `service.version`. */
  readonly attributes?: Readonly<Record<string, string>>
  /** Sent with each request; most hosted collectors need an API key. */
  readonly headers: Redacted.Redacted<Readonly<Record<string, string>>>
  /** Milliseconds that one request may take. */
  readonly timeout: number
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

// `name=value,name=value`, values percent-encoded.
const parseHeaders = (text: string): Readonly<Record<string, string>> | undefined => {
  const headers = new Map<string, string>()
  for (const pair of text.split(",")) {
    const at = pair.indexOf("=")
    const name = pair.slice(0, at).trim().toLowerCase()
    if (at < 1 || !token.test(name)) return undefined
    try {
      const value = decodeURIComponent(pair.slice(at + 1).trim())
      if (/[^\t\x20-\x7e]/.test(value)) return undefined
      headers.set(name, value)
    } catch {
      return undefined
    }
  }
  return Object.fromEntries(headers)
}

const variables = Config.all({
  endpoint: Setting.baseUrl("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318"),
  service: Setting.text("OTEL_SERVICE_NAME", ""),
  attributes: Setting.of<OtlpResource.Attributes>(
    "OTEL_RESOURCE_ATTRIBUTES",
    {},
    { expected: OtlpResource.expected, parse: OtlpResource.parse }
  ),
  headers: Config.map(
    Setting.of<Readonly<Record<string, string>>>(
      "OTEL_EXPORTER_OTLP_HEADERS",
      {},
      { expected: "name=value pairs with commas between them", parse: parseHeaders, secret: true }
    ),
    Redacted.make
  ),
  timeout: Setting.integer("OTEL_EXPORTER_OTLP_TIMEOUT", 10_000, { min: 1, max: 600_000 })
})

/** The settings from OpenTelemetry's environment variables; `attributes` are defaults for `OTEL_RESOURCE_ATTRIBUTES`. */
export const config = (attributes: Readonly<Record<string, string>> = {}): Config.Config<Settings> =>
  Config.map(variables, ({ attributes: given, service, ...rest }) => {
    const { "service.name": name, ...others } = { ...attributes, ...given }
    return { ...rest, service: service || name || OtlpResource.defaultService, attributes: others }
  })

// Sends the metrics of the fleet to an OpenTelemetry collector.
import { Config, Context, type Effect, Redacted, Schema } from "effect"
import * as Url from "../config/internal/Url.ts"
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

/**
 * No data was accepted. The status is `undefined` when there was no response.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Fleet, MetricsExporter } from "effect-framework/observability"
 *
 * // Nothing is lost by a failure: the sums are cumulative, and the next export contains them.
 * const later = ({ message, status }: MetricsExporter.ExportFailed) =>
 *   status === 401 ? Effect.logError("The key of the collector is wrong") : Effect.logWarning(message)
 *
 * export const send = Effect.gen(function* () {
 *   const fleet = yield* Fleet.Fleet
 *   const exporter = yield* MetricsExporter.MetricsExporter
 *   const { rejected } = yield* exporter.send(yield* fleet.gather)
 *   if (rejected > 0) yield* Effect.logWarning(`${rejected} data points were rejected`)
 * }).pipe(Effect.catchTag("ExportFailed", later))
 * ```
 */
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
export interface ExporterConfig {
  /** The base URL of the collector; `/v1/metrics` is appended. */
  readonly endpoint: string
  readonly service: string
  /** Further attributes of the resource, such as `service.version`. */
  readonly attributes?: Readonly<Record<string, string>>
  /** Sent with each request; most hosted collectors need an API key. */
  readonly headers: Redacted.Redacted<Readonly<Record<string, string>>>
  /** Milliseconds that one request may take. */
  readonly timeout: number
  /** How requests are compressed; by default not at all. */
  readonly compression?: Compression
  /** What another kind of data has of its own. */
  readonly signals?: Readonly<Partial<Record<Signal, SignalConfig>>>
}

/** The kinds of data, as the paths of a collector name them. */
export type Signal = "traces" | "logs" | "metrics"

/** How requests are compressed. */
export type Compression = "none" | "gzip"

/** In place of what all kinds of data have. */
export interface SignalConfig {
  /** The whole URL: no path is appended. */
  readonly url?: string
  readonly headers?: Redacted.Redacted<Readonly<Record<string, string>>>
  readonly timeout?: number
  readonly compression?: Compression
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

const headers = (name: string) =>
  Setting.of<Readonly<Record<string, string>> | undefined>(name, undefined, {
    expected: "name=value pairs with commas between them",
    parse: parseHeaders,
    secret: true
  }).pipe(Config.map((given) => (given === undefined ? undefined : Redacted.make(given))))

const timeout = (name: string) => Setting.integer(name, 0, { min: 1, max: 600_000 })

const compression = (name: string) => Setting.choice(`${name}_COMPRESSION`, "none", ["none", "gzip"])

// Only this one is spoken: any other is refused rather than ignored.
const protocol = (name: string) => Setting.choice(`${name}_PROTOCOL`, "http/json", ["http/json"])

const wholeUrl = (name: string) =>
  Setting.of(name, "", {
    expected: "an http or https address without a user or a fragment",
    parse: (text) => (/^https?:\/\/[^\s#@]+$/i.test(text) && Url.parse(text) !== undefined ? text : undefined)
  })

const signal = (name: string): Config.Config<SignalConfig> => {
  const prefix = `OTEL_EXPORTER_OTLP_${name}`
  return Config.map(
    Config.all({
      url: wholeUrl(`${prefix}_ENDPOINT`),
      headers: headers(`${prefix}_HEADERS`),
      timeout: timeout(`${prefix}_TIMEOUT`),
      compression: Setting.choice(`${prefix}_COMPRESSION`, "", ["", "none", "gzip"]),
      protocol: protocol(prefix)
    }),
    ({ compression, headers, timeout, url }) => ({
      ...(url !== "" && { url }),
      ...(headers !== undefined && { headers }),
      ...(timeout !== 0 && { timeout }),
      ...(compression !== "" && { compression })
    })
  )
}

const variables = Config.all({
  endpoint: Setting.baseUrl("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318"),
  service: Setting.text("OTEL_SERVICE_NAME", ""),
  attributes: Setting.of<OtlpResource.Attributes>(
    "OTEL_RESOURCE_ATTRIBUTES",
    {},
    { expected: OtlpResource.expected, parse: OtlpResource.parse }
  ),
  headers: Config.map(headers("OTEL_EXPORTER_OTLP_HEADERS"), (given) => given ?? Redacted.make({})),
  timeout: Config.map(timeout("OTEL_EXPORTER_OTLP_TIMEOUT"), (given) => given || 10_000),
  compression: compression("OTEL_EXPORTER_OTLP"),
  protocol: protocol("OTEL_EXPORTER_OTLP"),
  signals: Config.all({ traces: signal("TRACES"), logs: signal("LOGS"), metrics: signal("METRICS") })
})

/**
 * The settings from OpenTelemetry's environment variables; `attributes` are defaults for `OTEL_RESOURCE_ATTRIBUTES`.
 *
 * @example
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { OtlpMetricsExporter } from "effect-framework/layers/observability"
 * import { MetricsExporter } from "effect-framework/observability"
 *
 * // The version of the program is an attribute, unless `OTEL_RESOURCE_ATTRIBUTES` has another one.
 * export const exporter = Layer.unwrapEffect(
 *   Effect.map(MetricsExporter.config({ "service.version": "1.2.3" }), OtlpMetricsExporter.layer)
 * )
 * ```
 */
export const config = (attributes: Readonly<Record<string, string>> = {}): Config.Config<ExporterConfig> =>
  Config.map(variables, ({ attributes: given, compression, endpoint, headers, service, signals, timeout }) => {
    const { "service.name": name, ...others } = { ...attributes, ...given }
    return {
      endpoint,
      service: service || name || OtlpResource.defaultService,
      attributes: others,
      headers,
      timeout,
      compression,
      signals
    }
  })

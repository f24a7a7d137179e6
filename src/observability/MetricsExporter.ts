// Sends what the fleet has measured to a collector.
import { Config, Context, type Effect, Redacted } from "effect"
import * as Setting from "../server/Setting.ts"
import type { FleetSnapshot } from "./Fleet.ts"
import { defaultService } from "./Otlp.ts"
import * as Resource from "./Resource.ts"
import type { Delivered, ExportFailed } from "./OtlpResponse.ts"

/** Sends one snapshot; tries again what may succeed later, and says what did not. */
export class Shipper extends Context.Tag("effect-framework/observability/Shipper")<
  Shipper,
  { readonly ship: (whole: FleetSnapshot) => Effect.Effect<Delivered, ExportFailed> }
>() {}

/** Where to ship and how. */
export interface Settings {
  /** Where the collector listens; `/v1/metrics` follows. */
  readonly endpoint: string
  readonly service: string
  /** Further attributes of the resource, such as `service.version`. */
  readonly attributes?: Resource.Attributes
  /** Sent with each request: most hosted collectors want a key. */
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
  attributes: Setting.of<Resource.Attributes>(
    "OTEL_RESOURCE_ATTRIBUTES",
    {},
    { expected: Resource.expected, parse: Resource.parse }
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

/** The settings from the usual OpenTelemetry variables, with attributes that hold where `OTEL_RESOURCE_ATTRIBUTES` says nothing. */
export const configWith = (defaults: Resource.Attributes): Config.Config<Settings> =>
  Config.map(variables, ({ attributes: given, service, ...rest }) => {
    const { "service.name": named, ...attributes } = { ...defaults, ...given }
    return { ...rest, service: service || named || defaultService, attributes }
  })

/** The settings from the usual OpenTelemetry variables. */
export const config: Config.Config<Settings> = configWith({})

// Posts OTLP requests and retries what may succeed later.
import { Clock, Context, Effect, Layer, Random, Redacted } from "effect"
import { hostname } from "node:os"
import {
  ExportFailed,
  type ExporterConfig,
  type ExportSummary,
  MetricsExporter,
  type Signal
} from "../../../src/observability/MetricsExporter.ts"
import type { FleetSnapshot } from "../../../src/observability/Fleet.ts"
import * as Otlp from "../../../src/observability/Otlp.ts"
import * as OtlpResource from "../../../src/observability/internal/export/OtlpResource.ts"
import {
  type CollectorResponse,
  type ExportResult,
  interpret,
  maxAttempts,
  retryDelay
} from "../../../src/observability/internal/export/OtlpResponse.ts"

/** One POST. The body is compressed on its way when `content-encoding` says so. */
export interface OtlpRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Posts a request; fails without a status when no response came. An interruption breaks the request off. */
export class OtlpTransport extends Context.Tag("effect-framework/observability/OtlpTransport")<
  OtlpTransport,
  (request: OtlpRequest) => Effect.Effect<CollectorResponse, ExportFailed>
>() {}

/** Posts a body to the collector. Not traced: a span for each export would be exported again. */
type Post = (signal: Signal, body: string) => Effect.Effect<ExportSummary, ExportFailed>

/**
 * What every resource has. Two machines of one service need different ids: otherwise their sums would replace each other.
 */
export const resource = { ...OtlpResource.sdk, "service.instance.id": hostname() }

/** A client of the collector in these settings. */
export const make = (config: ExporterConfig): Effect.Effect<Post, never, OtlpTransport> =>
  Effect.map(OtlpTransport, (transport) => {
    const once = (signal: Signal, body: string): Effect.Effect<ExportResult> => {
      const { compression = "none", headers, timeout } = { ...config, ...config.signals?.[signal] }
      const url = config.signals?.[signal]?.url ?? `${config.endpoint}/v1/${signal}`
      const stated = {
        ...Redacted.value(headers),
        "content-type": "application/json",
        ...(compression === "gzip" && { "content-encoding": "gzip" })
      }
      return transport({ url, headers: stated, body }).pipe(
        Effect.timeoutFail({ duration: timeout, onTimeout: () => noResponse("the collector took too long") }),
        Effect.zipWith(Clock.currentTimeMillis, (received, now) => interpret(received, now / 1000)),
        // No response is not a refusal: the collector may be starting.
        Effect.catchAll((failure) => Effect.succeed(retry(failure)))
      )
    }

    const attempt = (signal: Signal, body: string, count: number): Effect.Effect<ExportSummary, ExportFailed> =>
      Effect.flatMap(once(signal, body), (result) => {
        if (result._tag === "Accepted") return Effect.succeed(result.summary)
        if (result._tag === "Refused" || count >= maxAttempts) return result.failure
        return Effect.flatMap(Random.next, (random) =>
          Effect.delay(attempt(signal, body, count + 1), retryDelay(count - 1, result.retryAfter, random) * 1000)
        )
      })

    return (signal, body) => Effect.withTracerEnabled(attempt(signal, body, 1), false)
  })

const noResponse = (text: string): ExportFailed => new ExportFailed({ status: undefined, reason: text })

const retry = (failure: ExportFailed): ExportResult => ({ _tag: "Retry", failure, retryAfter: undefined })

const makeExporter = (config: ExporterConfig) =>
  Effect.map(make(config), (post) => {
    const attributes = { ...resource, ...config.attributes }
    const send = ({ snapshot, started }: FleetSnapshot) =>
      post("metrics", Otlp.exporter({ service: config.service, attributes, start: started }).export(snapshot))
    return MetricsExporter.of({ send })
  })

/** Sends metrics through the transport below it. */
export const exporter = (config: ExporterConfig): Layer.Layer<MetricsExporter, never, OtlpTransport> =>
  Layer.effect(MetricsExporter, makeExporter(config))

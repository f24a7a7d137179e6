// Posts OTLP requests and retries what may succeed later.
import { Clock, Context, Effect, Random, Redacted } from "effect"
import { hostname } from "node:os"
import { ExportFailed, type ExportSummary, type Settings } from "../../../src/observability/MetricsExporter.ts"
import {
  type CollectorResponse,
  type ExportResult,
  interpret,
  maxAttempts,
  retryDelay
} from "../../../src/observability/internal/export/OtlpResponse.ts"

/** One POST. */
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

/** Posts a body to a path of the collector. Not traced: a span for each export would be exported again. */
export type Post = (path: string, body: string) => Effect.Effect<ExportSummary, ExportFailed>

/** Two machines of one service need different ids: otherwise their sums would replace each other. */
export const instance = { "service.instance.id": hostname() }

/** A client of the collector in these settings. */
export const make = ({ endpoint, headers, timeout }: Settings): Effect.Effect<Post, never, OtlpTransport> =>
  Effect.map(OtlpTransport, (transport) => {
    const stated = { ...Redacted.value(headers), "content-type": "application/json" }

    const once = (path: string, body: string): Effect.Effect<ExportResult> =>
      transport({ url: `${endpoint}${path}`, headers: stated, body }).pipe(
        Effect.timeoutFail({ duration: timeout, onTimeout: () => noResponse("the collector took too long") }),
        Effect.zipWith(Clock.currentTimeMillis, (received, now) => interpret(received, now / 1000)),
        // No response is not a refusal: the collector may be starting.
        Effect.catchAll((failure) => Effect.succeed(retry(failure)))
      )

    const attempt = (path: string, body: string, count: number): Effect.Effect<ExportSummary, ExportFailed> =>
      Effect.flatMap(once(path, body), (result) => {
        if (result._tag === "Accepted") return Effect.succeed(result.summary)
        if (result._tag === "Refused" || count >= maxAttempts) return result.failure
        return Effect.flatMap(Random.next, (random) =>
          Effect.delay(attempt(path, body, count + 1), retryDelay(count - 1, result.retryAfter, random) * 1000)
        )
      })

    return (path, body) => Effect.withTracerEnabled(attempt(path, body, 1), false)
  })

const noResponse = (text: string): ExportFailed => new ExportFailed({ status: undefined, reason: text })

const retry = (failure: ExportFailed): ExportResult => ({ _tag: "Retry", failure, retryAfter: undefined })

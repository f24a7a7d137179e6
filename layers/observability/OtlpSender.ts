// Sends metrics through any HTTP client and retries what may succeed later.
import { HttpBody, HttpClient, HttpClientRequest } from "@effect/platform"
import { Clock, Effect, Layer, Random, Redacted } from "effect"
import { hostname } from "node:os"
import type { ExportSummary } from "../../src/observability/ExportSummary.ts"
import type { FleetSnapshot } from "../../src/observability/Fleet.ts"
import * as Otlp from "../../src/observability/Otlp.ts"
import { ExportFailed, MetricsExporter, type Settings } from "../../src/observability/MetricsExporter.ts"
import { type ExportResult, interpret, maxAttempts, retryDelay } from "../../src/observability/OtlpResponse.ts"

const make = (settings: Settings) =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient

    const post = (body: string): Effect.Effect<ExportResult> =>
      Effect.gen(function* () {
        const request = HttpClientRequest.post(`${settings.endpoint}/v1/metrics`).pipe(
          HttpClientRequest.setHeaders(Redacted.value(settings.headers)),
          HttpClientRequest.setBody(HttpBody.text(body, "application/json"))
        )
        const response = yield* client.execute(request)
        const received = {
          status: response.status,
          retryAfter: response.headers["retry-after"],
          body: yield* response.text
        }
        return interpret(received, (yield* Clock.currentTimeMillis) / 1000)
      }).pipe(
        Effect.timeoutFail({ duration: settings.timeout, onTimeout: () => noResponse("the collector took too long") }),
        // No response is not a refusal: the collector may be starting.
        Effect.catchAll((error) =>
          Effect.succeed(retry(error instanceof ExportFailed ? error : noResponse(reason(error))))
        )
      )

    const attempt = (body: string, count: number): Effect.Effect<ExportSummary, ExportFailed> =>
      Effect.flatMap(post(body), (result) => {
        if (result._tag === "Accepted") return Effect.succeed(result.summary)
        if (result._tag === "Refused" || count >= maxAttempts) return result.failure
        return Effect.flatMap(Random.next, (random) =>
          Effect.delay(attempt(body, count + 1), retryDelay(count - 1, result.retryAfter, random) * 1000)
        )
      })

    // Two machines of one service need different ids: otherwise their sums would replace each other.
    const attributes = { "service.instance.id": hostname(), ...settings.attributes }
    const send = ({ snapshot, started }: FleetSnapshot) =>
      attempt(Otlp.exporter({ service: settings.service, attributes, start: started }).export(snapshot), 1)
    return MetricsExporter.of({ send })
  })

const noResponse = (text: string): ExportFailed => new ExportFailed({ status: undefined, reason: text })

const retry = (failure: ExportFailed): ExportResult => ({ _tag: "Retry", failure, retryAfter: undefined })

// The client wraps the error; its cause is the message that helps.
const reason = (error: { readonly message: string; readonly cause?: unknown }): string =>
  error.cause instanceof Error ? error.cause.message : error.message

/** Sends through the program's HTTP client. */
export const layer = (settings: Settings): Layer.Layer<MetricsExporter, never, HttpClient.HttpClient> =>
  Layer.effect(MetricsExporter, make(settings))

// Ships over OTLP/HTTP as JSON.
import { HttpBody, HttpClient, HttpClientRequest } from "@effect/platform"
import { Clock, type ConfigError, Effect, Layer, Random, Redacted } from "effect"
import { hostname } from "node:os"
import type { FleetSnapshot } from "../../src/observability/Fleet.ts"
import * as Otlp from "../../src/observability/Otlp.ts"
import {
  maxAttempts,
  type Delivered,
  interpret,
  retryDelay,
  ExportFailed,
  type ExportResult
} from "../../src/observability/OtlpResponse.ts"
import * as MetricsExporter from "../../src/observability/MetricsExporter.ts"

const make = (settings: MetricsExporter.Settings) =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient

    const send = (body: string): Effect.Effect<ExportResult> =>
      Effect.gen(function* () {
        const request = HttpClientRequest.post(`${settings.endpoint}/v1/metrics`).pipe(
          HttpClientRequest.setHeaders(Redacted.value(settings.headers)),
          HttpClientRequest.setBody(HttpBody.text(body, "application/json"))
        )
        const response = yield* client.execute(request)
        const text = yield* response.text
        const answer = { status: response.status, retryAfter: response.headers["retry-after"], body: text }
        return interpret(answer, (yield* Clock.currentTimeMillis) / 1000)
      }).pipe(
        Effect.timeoutFail({ duration: settings.timeout, onTimeout: () => silent("the collector took too long") }),
        // No answer is no refusal: the collector may be starting.
        Effect.catchAll((error) => Effect.succeed(later(error instanceof ExportFailed ? error : silent(reason(error)))))
      )

    const attempt = (body: string, count: number): Effect.Effect<Delivered, ExportFailed> =>
      Effect.flatMap(send(body), (verdict) => {
        if (verdict._tag === "Delivered") return Effect.succeed(verdict.delivered)
        if (verdict._tag === "Refused" || count >= maxAttempts) return verdict.failure
        return Effect.flatMap(Random.next, (chance) =>
          Effect.delay(attempt(body, count + 1), retryDelay(count - 1, verdict.after, chance) * 1000)
        )
      })

    // Two machines that ship one service must not be taken for one: their sums would replace each other.
    const attributes = { "service.instance.id": hostname(), ...settings.attributes }
    const ship = ({ snapshot, started }: FleetSnapshot) =>
      attempt(Otlp.encode(snapshot, { service: settings.service, attributes, start: started }), 1)
    return MetricsExporter.Shipper.of({ ship })
  })

const silent = (text: string): ExportFailed => new ExportFailed({ status: undefined, reason: text })

const later = (failure: ExportFailed): ExportResult => ({ _tag: "Later", failure, after: undefined })

// The client wraps what happened; the innermost cause is what a person can act on.
const reason = (error: { readonly message: string; readonly cause?: unknown }): string =>
  error.cause instanceof Error ? error.cause.message : error.message

/** Through a client of one's own. */
export const layerWith = (
  settings: MetricsExporter.Settings
): Layer.Layer<MetricsExporter.Shipper, never, HttpClient.HttpClient> =>
  Layer.effect(MetricsExporter.Shipper, make(settings))

// Loaded by the programs that export: the client brings a whole HTTP stack.
const client = Layer.unwrapEffect(
  Effect.promise(async () => (await import("@effect/platform-node/NodeHttpClient")).layerUndici)
)

/** Ships with these settings. */
export const layer = (settings: MetricsExporter.Settings): Layer.Layer<MetricsExporter.Shipper> =>
  Layer.provide(layerWith(settings), client)

/** Ships with the settings of the environment. */
export const layerConfig: Layer.Layer<MetricsExporter.Shipper, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(MetricsExporter.config, layer)
)

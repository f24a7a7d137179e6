// Ships over OTLP/HTTP as JSON.
import { HttpBody, HttpClient, HttpClientRequest } from "@effect/platform"
import { NodeHttpClient } from "@effect/platform-node"
import { Clock, type ConfigError, Effect, Layer, Random, Redacted } from "effect"
import { hostname } from "node:os"
import type { Whole } from "../../src/observability/Fleet.ts"
import * as Otlp from "../../src/observability/Otlp.ts"
import { ATTEMPTS, type Delivered, judge, pause, Undelivered, type Verdict } from "../../src/observability/Shipment.ts"
import * as Shipper from "../../src/observability/Shipper.ts"

const make = (settings: Shipper.Settings) =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient

    const send = (body: string): Effect.Effect<Verdict> =>
      Effect.gen(function* () {
        const request = HttpClientRequest.post(`${settings.endpoint}/v1/metrics`).pipe(
          HttpClientRequest.setHeaders(Redacted.value(settings.headers)),
          HttpClientRequest.setBody(HttpBody.text(body, "application/json"))
        )
        const response = yield* client.execute(request)
        const text = yield* response.text
        const answer = { status: response.status, retryAfter: response.headers["retry-after"], body: text }
        return judge(answer, (yield* Clock.currentTimeMillis) / 1000)
      }).pipe(
        Effect.timeoutFail({ duration: settings.timeout, onTimeout: () => silent("the collector took too long") }),
        // No answer is no refusal: the collector may be starting.
        Effect.catchAll((error) => Effect.succeed(later(error instanceof Undelivered ? error : silent(reason(error)))))
      )

    const attempt = (body: string, count: number): Effect.Effect<Delivered, Undelivered> =>
      Effect.flatMap(send(body), (verdict) => {
        if (verdict._tag === "Delivered") return Effect.succeed(verdict.delivered)
        if (verdict._tag === "Refused" || count >= ATTEMPTS) return verdict.failure
        return Effect.flatMap(Random.next, (chance) =>
          Effect.delay(attempt(body, count + 1), pause(count - 1, verdict.after, chance) * 1000)
        )
      })

    // Two machines that ship one service must not be taken for one: their sums would replace each other.
    const attributes = { "service.instance.id": hostname(), ...settings.attributes }
    const ship = ({ snapshot, started }: Whole) =>
      attempt(Otlp.encode(snapshot, { service: settings.service, attributes, start: started }), 1)
    return Shipper.Shipper.of({ ship })
  })

const silent = (text: string): Undelivered => new Undelivered({ status: undefined, reason: text })

const later = (failure: Undelivered): Verdict => ({ _tag: "Later", failure, after: undefined })

// The client wraps what happened; the innermost cause is what a person can act on.
const reason = (error: { readonly message: string; readonly cause?: unknown }): string =>
  error.cause instanceof Error ? error.cause.message : error.message

/** Through a client of one's own. */
export const layerWith = (settings: Shipper.Settings): Layer.Layer<Shipper.Shipper, never, HttpClient.HttpClient> =>
  Layer.effect(Shipper.Shipper, make(settings))

/** Ships with these settings. */
export const layer = (settings: Shipper.Settings): Layer.Layer<Shipper.Shipper> =>
  Layer.provide(layerWith(settings), NodeHttpClient.layerUndici)

/** Ships with the settings of the environment. */
export const layerConfig: Layer.Layer<Shipper.Shipper, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(Shipper.config, layer)
)

// Measures the requests that a program sends, by host and status class.
import { HttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"
import * as Histogram from "../../src/observability/Histogram.ts"
import type { InvalidInstrument } from "../../src/observability/Instrument.ts"
import { Observability } from "../../src/observability/Observability.ts"

/** How many series the metric may have. */
export interface Options {
  /** Combinations of host, method and class; further ones are counted together. 500. */
  readonly limit?: number
}

const defaultLimit = 500

const hostOf = (url: string): string => {
  try {
    return new URL(url).host
  } catch {
    return "none"
  }
}

const classOf = (status: number): string => `${Math.floor(status / 100)}xx`

/**
 * The client below, measured as `http_client_duration_seconds` until the head of a response is there, or none.
 *
 * @example
 * ```ts
 * import { FetchHttpClient } from "@effect/platform"
 * import { Layer } from "effect"
 * import { HttpClientMetrics } from "effect-framework/layers/observability"
 *
 * // Web hooks go to hosts that users choose: most of them are counted together.
 * export const hooks = HttpClientMetrics.layerWith({ limit: 50 }).pipe(Layer.provide(FetchHttpClient.layer))
 * ```
 */
export const layerWith = ({
  limit = defaultLimit
}: Options): Layer.Layer<HttpClient.HttpClient, InvalidInstrument, HttpClient.HttpClient | Observability> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.gen(function* () {
      const { metrics } = yield* Observability
      const durations = yield* Histogram.family("http_client_duration_seconds", {
        help: "Duration of requests to other servers by host, method and status class, in seconds",
        labels: ["host", "method", "class"],
        limit
      })
      yield* metrics.push(durations)
      return HttpClient.transform(yield* HttpClient.HttpClient, (response, { method, url }) =>
        Effect.suspend(() => {
          const started = performance.now()
          const observe = (status: string) =>
            Effect.sync(() =>
              durations.with({ host: hostOf(url), method, class: status }).observe((performance.now() - started) / 1000)
            )
          return response.pipe(
            Effect.tap(({ status }) => observe(classOf(status))),
            Effect.tapErrorCause(() => observe("none"))
          )
        })
      )
    })
  )

/**
 * `layerWith` the defaults.
 *
 * @example
 * ```ts
 * import { FetchHttpClient, HttpClient, HttpClientResponse, HttpLayerRouter } from "@effect/platform"
 * import { Effect, Layer } from "effect"
 * import { App } from "effect-framework"
 * import { HttpClientMetrics } from "effect-framework/layers/observability"
 * import { Respond } from "effect-framework/routes/session"
 *
 * const price = HttpClient.get("https://prices.example.com/tea").pipe(
 *   Effect.flatMap(HttpClientResponse.filterStatusOk),
 *   Effect.flatMap(({ text }) => text),
 *   Effect.map((text) => Respond.text(text)),
 *   Effect.orDie
 * )
 *
 * App.run({
 *   name: "Teapots",
 *   pages: [HttpLayerRouter.route("GET", "/price", price)],
 *   services: Layer.provide(HttpClientMetrics.layer, FetchHttpClient.layer)
 * })
 * ```
 */
export const layer = layerWith({})

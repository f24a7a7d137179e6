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

/** The client below, measured as `http_client_duration_seconds` until the head of a response is there, or none. */
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

/** `layerWith` the defaults. */
export const layer = layerWith({})

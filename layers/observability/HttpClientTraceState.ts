// Passes `tracestate` and `baggage` on with the requests that a program sends: Effect's client has `traceparent` alone.
import { HttpClient, HttpClientRequest } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { RequestState } from "../../src/http/internal/RequestState.ts"
import * as TraceContext from "../../src/http/internal/TraceContext.ts"
import * as Tracing from "../../src/observability/internal/Tracing.ts"

// A header that the program has set itself stays.
const withHeader = (request: HttpClientRequest.HttpClientRequest, name: string, value: string) =>
  value === "" || request.headers[name] !== undefined ? request : HttpClientRequest.setHeader(request, name, value)

const baggage = Effect.map(
  Effect.serviceOption(RequestState),
  Option.match({ onNone: () => "", onSome: (state) => state.baggage })
)

// As the client decides for `traceparent`: one header without the other says nothing.
const traced = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
  const isDisabled = yield* HttpClient.currentTracerDisabledWhen
  if (!(yield* HttpClient.currentTracerPropagation) || isDisabled(request)) return request
  const state = TraceContext.stateOf(yield* Tracing.propagated)
  return withHeader(withHeader(request, "tracestate", state), "baggage", yield* baggage)
})

/**
 * The client below, which sends the `tracestate` and the `baggage` of the request that is served.
 *
 * @example
 * ```ts
 * import { FetchHttpClient } from "@effect/platform"
 * import { Layer } from "effect"
 * import { HttpClientMetrics, HttpClientTraceState } from "effect-framework/layers/observability"
 *
 * // For requests to services of your own: a stranger need not see the baggage of a client.
 * export const client = HttpClientTraceState.layer.pipe(
 *   Layer.provide(HttpClientMetrics.layer),
 *   Layer.provide(FetchHttpClient.layer)
 * )
 * ```
 */
export const layer: Layer.Layer<HttpClient.HttpClient, never, HttpClient.HttpClient> = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, HttpClient.mapRequestEffect(traced))
)

// Passes `tracestate` on with the requests that a program sends: Effect's client has `traceparent` alone.
import { HttpClient, HttpClientRequest } from "@effect/platform"
import { Effect, Layer } from "effect"
import * as TraceContext from "../../src/http/internal/TraceContext.ts"
import * as Tracing from "../../src/observability/internal/Tracing.ts"

const header = "tracestate"

// As the client decides for `traceparent`: one header without the other says nothing.
const traced = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
  const isDisabled = yield* HttpClient.currentTracerDisabledWhen
  const isPropagated = (yield* HttpClient.currentTracerPropagation) && !isDisabled(request)
  const state = isPropagated ? TraceContext.stateOf(yield* Tracing.propagated) : ""
  const isSet = state === "" || request.headers[header] !== undefined
  return isSet ? request : HttpClientRequest.setHeader(request, header, state)
})

/** The client below, which sends the `tracestate` of the request that is served. */
export const layer: Layer.Layer<HttpClient.HttpClient, never, HttpClient.HttpClient> = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, HttpClient.mapRequestEffect(traced))
)

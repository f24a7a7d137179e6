// Passes `tracestate` on with the requests that a program sends: Effect's client has `traceparent` alone.
import { HttpClient, HttpClientRequest } from "@effect/platform"
import { Effect, FiberRef, Layer } from "effect"
import * as TraceContext from "../../src/observability/TraceContext.ts"

const header = "tracestate"

// As the client decides for `traceparent`: one header without the other says nothing.
const traced = (request: HttpClientRequest.HttpClientRequest): Effect.Effect<HttpClientRequest.HttpClientRequest> =>
  Effect.withFiberRuntime((fiber) => {
    const isPropagated =
      fiber.getFiberRef(FiberRef.currentTracerEnabled) &&
      fiber.getFiberRef(HttpClient.currentTracerPropagation) &&
      !fiber.getFiberRef(HttpClient.currentTracerDisabledWhen)(request)
    const state = isPropagated ? TraceContext.stateOf(fiber.currentSpan) : ""
    const isSet = state === "" || request.headers[header] !== undefined
    return Effect.succeed(isSet ? request : HttpClientRequest.setHeader(request, header, state))
  })

/** The client below, which sends the `tracestate` of the request that is served. */
export const layer: Layer.Layer<HttpClient.HttpClient, never, HttpClient.HttpClient> = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, HttpClient.mapRequestEffect(traced))
)

import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TrustedProxies from "../../../layers/session/TrustedProxies.ts"
import { RequestState, RequestStates } from "../../../src/http/internal/RequestState.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import { layer } from "../../support/RecordedSpans.ts"

const here = Effect.map(Effect.getFiberRefs, Tracing.correlationOf)

const opened = (headers: Readonly<Record<string, string>>) =>
  Effect.map(RequestStates, ({ open }) =>
    open({ method: "GET", url: "/", headers: { "x-request-id": "r1", ...headers }, remoteAddress: "::1", route: "/" })
  ).pipe(Effect.provide(TrustedProxies.layerWith([])))

const trace = "0af7651916cd43dd8448eb211c80319c"
const traceparent = `00-${trace}-b7ad6b7169203331-01`

it.effect("is empty outside a request and without a tracer", () =>
  Effect.gen(function* () {
    expect(yield* here).toEqual({})
    expect(yield* Effect.withSpan(here, "native")).toEqual({})
  })
)

it.effect("is the request, its account, and the trace that the client named", () =>
  Effect.gen(function* () {
    const state = yield* opened({ traceparent })
    const inRequest = Effect.provideService(here, RequestState, state)
    expect(yield* inRequest).toEqual({ id: "r1", trace_id: trace, span_id: "b7ad6b7169203331" })
    state.account = "a1"
    expect(yield* inRequest).toMatchObject({ account: "a1" })
  })
)

it.effect("is the open span where spans are collected", () =>
  Effect.gen(function* () {
    const state = yield* opened({ traceparent })
    const [found, span] = yield* Effect.zip(here, Effect.orDie(Effect.currentSpan)).pipe(
      Effect.withSpan("work"),
      Effect.provideService(RequestState, state)
    )
    expect(found).toEqual({ id: "r1", trace_id: span.traceId, span_id: span.spanId })
  }).pipe(Effect.provide(layer))
)

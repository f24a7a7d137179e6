// What a server that is asked by another one receives, over real sockets.
import {
  FetchHttpClient,
  HttpClient,
  HttpClientRequest,
  HttpLayerRouter,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import * as HttpClientTraceState from "../../../layers/observability/HttpClientTraceState.ts"
import * as OtlpTracer from "../../../layers/observability/internal/OtlpTracer.ts"
import * as Sampler from "../../../src/observability/internal/Sampler.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as RecordedSpans from "../../support/RecordedSpans.ts"
import * as Serving from "../../support/Serving.ts"

const Received = Schema.Struct({
  traceparent: Schema.optional(Schema.String),
  tracestate: Schema.optional(Schema.String),
  baggage: Schema.optional(Schema.String)
})

const trace = "0af7651916cd43dd8448eb211c80319c"

const client = HttpClientTraceState.layer.pipe(Layer.provide(FetchHttpClient.layer))

type Sent = (client: HttpClient.HttpClient, url: string) => ReturnType<HttpClient.HttpClient["execute"]>

/** A route that asks `/headers` of this server, and answers with what was received there. */
const calling = (path: `/${string}`, send: Sent) =>
  HttpLayerRouter.route(
    "GET",
    path,
    Effect.gen(function* () {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const response = yield* send(yield* HttpClient.HttpClient, `http://${headers["host"]}/headers`)
      return HttpServerResponse.text(yield* response.text)
    }).pipe(Effect.withSpan("calling"), Effect.provide(client), Effect.orDie)
  )

const routes = [
  calling("/plain", (sender, url) => sender.get(url)),
  calling("/own", (sender, url) => sender.execute(HttpClientRequest.get(url, { headers: { tracestate: "own=1" } }))),
  calling("/unpropagated", (sender, url) => HttpClient.withTracerPropagation(sender, false).get(url)),
  calling("/disabled", (sender, url) => HttpClient.withTracerDisabledWhen(sender, () => true).get(url)),
  calling("/untraced", (sender, url) => Effect.withTracerEnabled(sender.get(url), false)),
  HttpLayerRouter.route(
    "GET",
    "/headers",
    Effect.map(HttpServerRequest.HttpServerRequest, ({ headers: { baggage, traceparent, tracestate } }) =>
      HttpServerResponse.unsafeJson({ traceparent, tracestate, baggage })
    )
  )
]

const ask = (path: string, state: string, sampled = true, baggage = "") =>
  Effect.gen(function* () {
    const { url } = yield* ServerAddress
    const headers = { traceparent: `00-${trace}-b7ad6b7169203331-${sampled ? "01" : "00"}`, tracestate: state, baggage }
    const text = yield* Effect.promise(() => fetch(`${url}${path}`, { headers }).then((response) => response.text()))
    return yield* Schema.decodeUnknown(Schema.parseJson(Received))(text)
  })

const sampling = Layer.setTracer(OtlpTracer.make(Sampler.make("parentbased_always_on", 1), () => undefined))

describe.each([
  ["the exporting tracer", sampling],
  ["a tracer of the program's own", RecordedSpans.layer]
])("with %s", (_, tracer) => {
  const served = Serving.layer(routes).pipe(Layer.provide(tracer))

  it.scopedLive("the state of the client reaches the next server, with its trace", () =>
    Effect.gen(function* () {
      const { traceparent, tracestate } = yield* ask("/plain", "vendor=1, other@tenant=a b")
      expect(traceparent?.split("-")[1]).toBe(trace)
      expect(tracestate).toBe("vendor=1, other@tenant=a b")
    }).pipe(Effect.provide(served))
  )

  it.scopedLive("a state that is malformed, or belongs to no trace that is passed on, is not sent", () =>
    Effect.gen(function* () {
      expect((yield* ask("/plain", "vendor")).tracestate).toBeUndefined()
      for (const path of ["/unpropagated", "/disabled", "/untraced"]) expect(yield* ask(path, "vendor=1")).toEqual({})
    }).pipe(Effect.provide(served))
  )

  it.scopedLive(
    "the baggage of the client reaches the next server, unless it is malformed or nothing is passed on",
    () =>
      Effect.gen(function* () {
        const baggage = "user.tier=gold;ttl=1, region=eu%2Dwest"
        expect((yield* ask("/plain", "", true, baggage)).baggage).toBe(baggage)
        for (const wrong of ["no pair", "a=b,,c=d", `a=${"b".repeat(8192)}`, 'a="b"']) {
          expect((yield* ask("/plain", "", true, wrong)).baggage).toBeUndefined()
        }
        for (const path of ["/unpropagated", "/disabled"])
          expect((yield* ask(path, "", true, baggage)).baggage).toBeUndefined()
      }).pipe(Effect.provide(served))
  )

  it.scopedLive("a state of the request's own is left alone", () =>
    Effect.gen(function* () {
      expect((yield* ask("/own", "vendor=1")).tracestate).toBe("own=1")
    }).pipe(Effect.provide(served))
  )
})

it.scopedLive("the state of a trace that is not sampled is passed on too", () =>
  Effect.gen(function* () {
    const { traceparent, tracestate } = yield* ask("/plain", "vendor=1", false)
    expect(traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`))
    expect(tracestate).toBe("vendor=1")
  }).pipe(Effect.provide(Serving.layer(routes).pipe(Layer.provide(sampling))))
)

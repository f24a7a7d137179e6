import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Stream } from "effect"
import { connect } from "node:net"
import * as SocketCounters from "../../../layers/observability/internal/SocketCounters.ts"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import * as Telemetry from "../../../routes/observability/Telemetry.ts"
import { Observability } from "../../../src/observability/Observability.ts"
import * as OpenMetrics from "../../../src/observability/OpenMetrics.ts"
import * as RequestEvents from "../../../src/observability/RequestEvents.ts"
import { isDistribution } from "../../../src/observability/internal/snapshot/Series.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestClient from "../../../testing/TestClient.ts"
import { eventually } from "../../support/Eventually.ts"
import * as Raw from "../../support/Raw.ts"
import * as RecordedSpans from "../../support/RecordedSpans.ts"
import * as Serving from "../../support/Serving.ts"

/** All that telemetry says of requests of all routes, by sample; a histogram as its count. */
const figures = Effect.gen(function* () {
  const { gather } = yield* Observability
  const { metrics } = yield* gather
  const all: Record<string, number> = {}
  for (const [name, { series }] of metrics) {
    if (name === "http_route_duration_seconds" || name === "http_stream_duration_seconds") continue
    for (const item of series) {
      const key = item.labels.text.startsWith("pid") ? name : name + (item.labels.record.class ?? "")
      all[key] = isDistribution(item) ? item.count : item.value
    }
  }
  return all
})

const counts = (name: string) =>
  Effect.gen(function* () {
    const { gather } = yield* Observability
    const series = (yield* gather).metrics.get(name)?.series ?? []
    return Object.fromEntries(series.map((item) => [item.labels.text, isDistribution(item) ? item.count : item.value]))
  })

/** The number of requests by route. */
const byRoute = counts("http_route_duration_seconds")

const expected = (
  total: number,
  classes: Partial<Record<"1xx" | "2xx" | "3xx" | "4xx" | "5xx", number>>,
  inFlight = 0
) => ({
  http_requests_total: total,
  http_request_duration_seconds: total - inFlight,
  http_requests_in_flight: inFlight,
  http_responses_total1xx: classes["1xx"] ?? 0,
  http_responses_total2xx: classes["2xx"] ?? 0,
  http_responses_total3xx: classes["3xx"] ?? 0,
  http_responses_total4xx: classes["4xx"] ?? 0,
  http_responses_total5xx: classes["5xx"] ?? 0
})

const registry = WorkerObservability.layerWith({ collectors: false })
const events = Layer.merge(registry, RequestEvents.layer)

const received = (id: string) => ({ id, method: "GET", at: performance.now() })
const handled = (id: string, status: number | undefined, at = performance.now()) => ({
  id,
  at,
  method: "GET",
  route: "/",
  status,
  duration: 0.2,
  aborted: status === undefined
})

describe("telemetry", () => {
  it.effect("records nothing before boot, and has no listener", () =>
    Effect.gen(function* () {
      const events = yield* RequestEvents.RequestEvents
      yield* Telemetry.Telemetry
      expect(events.listening).toBe(false)
      events.received(received("a"))
      events.handled(handled("a", 200))
      expect(yield* figures).toEqual({})
    }).pipe(Effect.provide(Layer.provideMerge(Telemetry.layerManual, events)))
  )

  it.effect("records once though it is booted twice", () =>
    Effect.gen(function* () {
      const events = yield* RequestEvents.RequestEvents
      const { boot } = yield* Telemetry.Telemetry
      yield* boot
      yield* Effect.all([boot, boot], { concurrency: "unbounded" })
      events.received(received("a"))
      expect(yield* figures).toEqual(expected(1, {}, 1))
      events.handled(handled("a", 204))
      expect(yield* figures).toEqual(expected(1, { "2xx": 1 }))
    }).pipe(Effect.provide(Layer.provideMerge(Telemetry.layerManual, events)))
  )

  it.effect("does not count the end of a request whose beginning it has not seen", () =>
    Effect.gen(function* () {
      const events = yield* RequestEvents.RequestEvents
      const { boot } = yield* Telemetry.Telemetry
      const before = performance.now()
      yield* boot
      events.handled(handled("before", 200, before))
      events.received(received("a"))
      events.handled(handled("a", 500))
      expect(yield* figures).toEqual(expected(1, { "5xx": 1 }))
    }).pipe(Effect.provide(Layer.provideMerge(Telemetry.layerManual, events)))
  )

  it.effect("is exact though a client sends one id with two requests", () =>
    Effect.gen(function* () {
      const events = yield* RequestEvents.RequestEvents
      for (const id of ["a", "a", "b"]) events.received(received(id))
      expect(yield* figures).toEqual(expected(3, {}, 3))
      events.handled(handled("a", 200))
      expect(yield* figures).toEqual(expected(3, { "2xx": 1 }, 2))
      events.handled(handled("a", 404))
      events.handled(handled("b", undefined))
      expect(yield* figures).toEqual(expected(3, { "2xx": 1, "4xx": 1 }))
    }).pipe(Effect.provide(Layer.provideMerge(Telemetry.layer, events)))
  )

  it.effect("measures in seconds", () =>
    Effect.gen(function* () {
      const events = yield* RequestEvents.RequestEvents
      events.received(received("a"))
      events.handled(handled("a", 200))
      const { gather } = yield* Observability
      const [item] = (yield* gather).metrics.get("http_request_duration_seconds")?.series ?? []
      expect(item).toMatchObject({ sum: 0.2, count: 1 })
    }).pipe(Effect.provide(Layer.provideMerge(Telemetry.layer, events)))
  )

  it.effect("measures a stream to its head, how long it lasted apart, and counts a socket that dies as an error", () =>
    Effect.gen(function* () {
      const events = yield* RequestEvents.RequestEvents
      const at = performance.now()
      for (const id of ["stream", "left", "socket", "dead"]) events.received({ id, method: "GET", at })
      events.handled({ ...handled("stream", 200, at), lasted: 700 })
      events.handled({ ...handled("left", 200, at), lasted: 3, aborted: true })
      events.handled(handled("socket", 101, at))
      events.handled(handled("dead", 101, at))
      expect(yield* figures).toEqual(expected(4, { "1xx": 2, "2xx": 1 }))
      events.closed({ ...handled("socket", 101, at), lasted: 4000 })
      events.closed({ ...handled("dead", 101, at), lasted: 2, failed: true })
      expect(yield* figures).toEqual(expected(4, { "1xx": 2, "2xx": 1, "5xx": 1 }))
      const { gather } = yield* Observability
      const { metrics } = yield* gather
      expect(metrics.get("http_request_duration_seconds")?.series).toMatchObject([{ sum: 0.8, count: 4 }])
      expect(metrics.get("http_stream_duration_seconds")?.series.map((item) => [item.labels.text, item])).toMatchObject(
        [
          ['class="1xx",route="/"', { sum: 4000, count: 1 }],
          ['class="2xx",route="/"', { sum: 700, count: 1 }],
          ['class="5xx",route="/"', { sum: 2, count: 1 }],
          ['class="none",route="/"', { sum: 3, count: 1 }]
        ]
      )
    }).pipe(Effect.provide(Layer.provideMerge(Telemetry.layer, events)))
  )
})

const hung = Effect.runSync(Deferred.make<void>())

const routes = [
  HttpLayerRouter.route("GET", "/ok", Effect.succeed(HttpServerResponse.text("hello"))),
  HttpLayerRouter.route("GET", "/orders/:id", Effect.succeed(HttpServerResponse.text("an order"))),
  HttpLayerRouter.route("GET", "/moved", Effect.succeed(HttpServerResponse.empty({ status: 303 }))),
  HttpLayerRouter.route("GET", "/defect", Effect.die(new Error("no"))),
  HttpLayerRouter.route(
    "GET",
    "/stream",
    Effect.succeed(HttpServerResponse.stream(Stream.make(new Uint8Array(9), new Uint8Array(9))))
  ),
  HttpLayerRouter.route("GET", "/hang", Effect.zipRight(Deferred.succeed(hung, undefined), Effect.never)),
  HttpLayerRouter.route(
    "GET",
    "/endless",
    Effect.succeed(HttpServerResponse.stream(Stream.concat(Stream.make(new Uint8Array(9)), Stream.never)))
  ),
  HttpLayerRouter.route("POST", "/echo", Effect.succeed(HttpServerResponse.text("done")))
]

const server = Layer.merge(Telemetry.layer, SocketCounters.layer).pipe(
  Layer.provideMerge(Serving.layer(routes, { drain: "100 millis" })),
  Layer.provideMerge(registry)
)

/** Opens a request and disconnects before the response, or in the middle of it. */
const leave = (port: number, path: string, after: Effect.Effect<unknown> | "head") =>
  Effect.scoped(
    Effect.gen(function* () {
      const socket = yield* Effect.acquireRelease(
        Effect.sync(() => connect(port, "127.0.0.1")),
        (socket) => Effect.sync(() => socket.destroy())
      )
      const head = Effect.async<void>((resume) => void socket.once("data", () => resume(Effect.void)))
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      yield* after === "head" ? head : after
    })
  )

const served = (figure: ReturnType<typeof expected>) =>
  Effect.map(
    eventually(figures, (all) => all["http_request_duration_seconds"] === figure.http_request_duration_seconds),
    (all) => expect(all).toMatchObject(figure)
  )

describe("telemetry of a real server", () => {
  it.scopedLive("is exact over responses, defects, streams, HEAD and misses", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const http = TestClient.make(url)
      expect((yield* http.get("/ok")).status).toBe(200)
      expect((yield* http.request("/ok", { method: "HEAD" })).status).toBe(200)
      expect((yield* http.get("/stream")).body).toHaveLength(18)
      expect((yield* http.get("/moved")).status).toBe(303)
      expect((yield* http.get("/nothing")).status).toBe(404)
      expect((yield* http.request("/ok", { method: "DELETE" })).status).toBe(405)
      expect((yield* http.get("/defect")).status).toBe(500)
      expect((yield* http.get("/orders/secret-4711")).status).toBe(200)
      yield* served(expected(8, { "2xx": 4, "3xx": 1, "4xx": 2, "5xx": 1 }))
      expect(yield* byRoute).toEqual({
        'class="2xx",method="GET",route="/ok"': 1,
        'class="2xx",method="HEAD",route="/ok"': 1,
        'class="2xx",method="GET",route="/stream"': 1,
        'class="3xx",method="GET",route="/moved"': 1,
        'class="4xx",method="GET",route="unmatched"': 1,
        'class="4xx",method="DELETE",route="unmatched"': 1,
        'class="5xx",method="GET",route="/defect"': 1,
        'class="2xx",method="GET",route="/orders/:id"': 1
      })
    }).pipe(Effect.provide(server))
  )

  it.scopedLive("is exact over requests that share a connection, in turn and piled up", () =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const one = "GET /ok HTTP/1.1\r\nHost: x\r\n\r\n"
      const responses = yield* Raw.exchange(port, one + one + one + Raw.request("GET /moved HTTP/1.1"))
      expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual([
        "HTTP/1.1 200",
        "HTTP/1.1 200",
        "HTTP/1.1 200",
        "HTTP/1.1 303"
      ])
      yield* served(expected(4, { "2xx": 3, "3xx": 1 }))
    }).pipe(Effect.provide(server))
  )

  it.scopedLive("counts who leaves early in the total and the duration, in no class, and not in flight", () =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const waiting = Effect.zipRight(
        Deferred.await(hung),
        eventually(figures, (all) => all["http_requests_in_flight"] === 1)
      )
      yield* leave(port, "/hang", Effect.orDie(waiting).pipe(Effect.provide(yield* Effect.context<Observability>())))
      yield* served(expected(1, {}))
      yield* leave(port, "/endless", "head")
      yield* served(expected(2, {}))
      expect(yield* byRoute).toEqual({
        'class="none",method="GET",route="/hang"': 1,
        'class="none",method="GET",route="/endless"': 1
      })
      expect(yield* counts("http_stream_duration_seconds")).toEqual({ 'class="none",route="/endless"': 1 })
    }).pipe(Effect.provide(server))
  )

  it.scopedLive("leads from a bucket to the trace of a request that was slow", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const observability = yield* Observability
      expect((yield* TestClient.make(url).get("/ok")).status).toBe(200)
      const text = yield* eventually(observability.export(OpenMetrics.exporter), (body) => body.includes("trace_id"))
      const [span] = yield* RecordedSpans.RecordedSpans
      expect(/^http_route_duration_seconds_bucket\{.*route="\/ok".* # \{trace_id="(\w+)"\}/m.exec(text)?.[1]).toBe(
        span?.traceId
      )
      expect(text.match(/trace_id/g)).toHaveLength(1)
    }).pipe(Effect.provide(Layer.provideMerge(server, RecordedSpans.layer)))
  )

  it.scopedLive("counts the bytes of the sockets, with the process id", () =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const text = Raw.request("POST /echo HTTP/1.1", ["Content-Length: 10000"], "x".repeat(10_000))
      const response = yield* Raw.exchange(port, text)
      expect(response).toContain("done")
      const all = yield* eventually(figures, (all) => (all["http_bytes_written_total"] ?? 0) >= response.length)
      expect(all["http_bytes_read_total"]).toBe(text.length)
      expect(all["http_bytes_written_total"]).toBe(response.length)
      const { gather } = yield* Observability
      const series = (yield* gather).metrics.get("http_bytes_read_total")?.series
      expect(series?.map(({ labels }) => labels.text)).toEqual([`pid="${process.pid}"`])
    }).pipe(Effect.provide(server))
  )
})

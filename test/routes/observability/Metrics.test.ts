import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, FiberId, Layer, Stream } from "effect"
import { connect } from "node:net"
import * as CounterReporter from "../../../layers/observability/CounterReporter.ts"
import * as WorkerReporters from "../../../layers/errors/WorkerReporters.ts"
import * as TrustedProxies from "../../../layers/session/TrustedProxies.ts"
import * as FileFleet from "../../../layers/observability/FileFleet.ts"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import * as Sockets from "../../../layers/server/Sockets.ts"
import * as WebServer from "../../../layers/server/WebServer.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as Metrics from "../../../routes/observability/Metrics.ts"
import * as Telemetry from "../../../routes/observability/Telemetry.ts"
import * as Environment from "../../../src/config/Environment.ts"
import * as ErrorPages from "../../../src/errors/ErrorPages.ts"
import * as Sources from "../../../src/errors/Sources.ts"
import * as RequestEvents from "../../../src/observability/RequestEvents.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestClient from "../../../testing/TestClient.ts"
import * as Demo from "../../support/Demo.ts"
import { eventually } from "../../support/Eventually.ts"
import * as Raw from "../../support/Raw.ts"

// The body fails once the client has received its first half.
const seen = Deferred.unsafeMake<void>(FiberId.none)
const half = Stream.make(new TextEncoder().encode("half of the body"))
const failure = Stream.fromEffect(Effect.zipRight(Deferred.await(seen), Effect.die(new RangeError("torn"))))

/** What a client receives of the stream until its connection is closed. */
const receive = (port: number) =>
  Effect.async<string>((resume) => {
    let received = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(Raw.request("GET /torn HTTP/1.1")))
    socket.on("data", (chunk) => {
      received += String(chunk)
      if (received.includes("half of the body")) Effect.runSync(Deferred.succeed(seen, undefined))
    })
    socket.on("error", () => undefined)
    socket.on("close", () => resume(Effect.succeed(received)))
  })

const routes = [
  HttpLayerRouter.route(
    "GET",
    "/torn",
    Effect.sync(() => HttpServerResponse.stream(Stream.concat(half, failure)))
  ),
  HttpLayerRouter.route("GET", "/broken", Effect.die(new TypeError("broken"))),
  ...Metrics.routes
]

const server = Layer.unwrapScoped(
  Effect.map(Demo.folder, (directory) =>
    WebServer.layer(Pipeline.app(Pipeline.stateless(routes)), { host: "127.0.0.1", port: 0 }).pipe(
      Layer.provide(Layer.merge(Telemetry.layer, CounterReporter.layer)),
      Layer.provide(FileFleet.layer({ directory })),
      Layer.provide(
        Layer.mergeAll(
          WorkerObservability.layerWith({ collectors: false }),
          WorkerReporters.layer,
          TrustedProxies.layer,
          RequestEvents.layer,
          Sockets.layer,
          Environment.layerWith("production"),
          Sources.layerNone,
          ErrorPages.layerNone
        )
      )
    )
  )
)

/** The samples of a scrape whose names begin with these, by name and labels. */
const scrape = (...names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { body } = yield* TestClient.make((yield* ServerAddress).url).get("/metrics")
    const lines = body.split("\n").filter((line) => names.some((name) => line.startsWith(name)))
    return Object.fromEntries(lines.map((line) => [line.replace(/ [^ ]+$/, ""), Number(/[^ ]+$/.exec(line)?.[0])]))
  })

describe("a scrape of /metrics", () => {
  it.scopedLive("counts a response whose body failed halfway as 5xx, in no success class, and as one exception", () =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const names = ["http_responses_total", "http_requests_total", "http_requests_in_flight", "exceptions_total"]
      const before = yield* scrape(...names)
      expect(before).toMatchObject({ 'http_responses_total{class="2xx"}': 0, http_requests_total: 1 })
      const response = yield* receive(port)
      expect(response).toMatch(/^HTTP\/1\.1 200 /)
      expect(response).toContain("half of the body")
      const isCounted = (all: Readonly<Record<string, number>>) => (all['http_responses_total{class="5xx"}'] ?? 0) > 0
      const after = yield* eventually(scrape(...names), isCounted)
      // The scrapes are the only successes, and the last of them is still in flight.
      const scrapes = (after["http_requests_total"] ?? 0) - 1
      expect(after).toEqual({
        exceptions_total: 1,
        'exceptions_total{class="RangeError"}': 1,
        http_requests_in_flight: 1,
        http_requests_total: scrapes + 1,
        'http_responses_total{class="1xx"}': 0,
        'http_responses_total{class="2xx"}': scrapes - 1,
        'http_responses_total{class="3xx"}': 0,
        'http_responses_total{class="4xx"}': 0,
        'http_responses_total{class="5xx"}': 1
      })
    }).pipe(Effect.provide(server))
  )

  it.scopedLive("shows the first exception of each class as an increase of exceptions_total", () =>
    Effect.gen(function* () {
      const http = TestClient.make((yield* ServerAddress).url)
      expect(yield* scrape("exceptions_total")).toEqual({ exceptions_total: 0 })
      yield* http.get("/broken")
      expect(yield* scrape("exceptions_total")).toEqual({
        exceptions_total: 1,
        'exceptions_total{class="TypeError"}': 1
      })
      yield* receive((yield* ServerAddress).port)
      expect(yield* eventually(scrape("exceptions_total"), (all) => all["exceptions_total"] === 2)).toEqual({
        exceptions_total: 2,
        'exceptions_total{class="RangeError"}': 1,
        'exceptions_total{class="TypeError"}': 1
      })
    }).pipe(Effect.provide(server))
  )
})

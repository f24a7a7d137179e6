import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { connect } from "node:net"
import * as Respond from "../../../routes/session/Respond.ts"
import * as Telemetry from "../../../routes/observability/Telemetry.ts"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import * as Prometheus from "../../../src/observability/Prometheus.ts"
import { Observability } from "../../../src/observability/Observability.ts"
import * as RequestEvents from "../../../src/observability/RequestEvents.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { eventually } from "../../support/Eventually.ts"
import * as Raw from "../../support/Raw.ts"
import * as Serving from "../../support/Serving.ts"

const { HttpServerRequest: Request } = HttpServerRequest

const routes = [
  HttpLayerRouter.route(
    "GET",
    "/",
    Effect.sync(() => Respond.text("hello"))
  ),
  HttpLayerRouter.route(
    "POST",
    "/text",
    Effect.flatMap(Request, (request) => Effect.map(request.text, ({ length }) => Respond.json({ length })))
  ),
  HttpLayerRouter.route(
    "GET",
    "/large",
    Effect.sync(() => Respond.text("x".repeat(32 * 1024 * 1024)))
  )
]

const serve = (options: Serving.Options) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(
      Telemetry.layer.pipe(
        Layer.provideMerge(WorkerObservability.layer),
        Layer.provideMerge(Serving.layer(routes, options))
      )
    )
    const handled: Array<RequestEvents.Handled> = []
    return yield* Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const { gather } = yield* Observability
      yield* (yield* RequestEvents.RequestEvents).listen({ handled: (event) => void handled.push(event) })
      return { port, handled, metrics: Effect.map(gather, (snapshot) => Prometheus.exporter.export(snapshot)) }
    }).pipe(Effect.provide(context))
  })

const statuses = (received: string) => Array.from(received.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => status)

describe("Timeouts of a connection", () => {
  it.scopedLive("end a head and a body that do not come, with one 408 that is counted and logged", () =>
    Effect.gen(function* () {
      const { handled, metrics, port } = yield* serve({ headersTimeout: "1500 millis", requestTimeout: "3 seconds" })
      expect(statuses(yield* Raw.exchange(port, "GET / HTTP/1.1\r\nHost: loc"))).toEqual(["408"])
      const body = "POST /text HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc"
      expect(statuses(yield* Raw.exchange(port, body))).toEqual(["408"])
      // A route that responds first: its response is the only one, and the connection ends.
      const early = "POST /nope HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc"
      expect(statuses(yield* Raw.exchange(port, early))).toEqual(["404"])
      expect(handled.map(({ method, route, status }) => [method, route, status])).toEqual([
        ["-", "", 408],
        ["POST", "/text", 408],
        ["POST", "", 404]
      ])
      const text = yield* metrics
      expect(text).toMatch(/^http_requests_total 3$/m)
      expect(text).toMatch(/^http_responses_total\{class="4xx"\} 3$/m)
      expect(text).toMatch(/^http_requests_in_flight 0$/m)
    })
  )

  it.scopedLive("send nothing on a connection that was opened and never used", () =>
    Effect.gen(function* () {
      const { handled, port } = yield* serve({ headersTimeout: "200 millis", requestTimeout: "400 millis" })
      expect(yield* Raw.exchange(port, "")).toBe("")
      expect(handled).toEqual([])
    })
  )

  it.scopedLive("close a connection between two requests", () =>
    Effect.gen(function* () {
      const { port } = yield* serve({ keepAliveTimeout: "200 millis" })
      expect(statuses(yield* Raw.exchange(port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))).toEqual(["200"])
    })
  )

  it.scopedLive("cut a client that does not read, and let one that reads slowly finish", () =>
    Effect.gen(function* () {
      const { handled, port } = yield* serve({ writeTimeout: "2 seconds" })
      const cut = yield* Deferred.make<void>()
      const stalled = connect(port, "127.0.0.1", () => stalled.write("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"))
      stalled.pause()
      stalled.on("error", () => undefined).on("close", () => Deferred.unsafeDone(cut, Effect.void))
      const length = yield* Effect.async<number>((resume) => {
        let read = 0
        const slow = connect(port, "127.0.0.1", () =>
          slow.write("GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        )
        // A pause of its own after each megabyte: the whole takes several times as long as may pass without progress.
        let until = 1
        slow.on("data", (chunk) => {
          read += chunk.length
          if (read < until * 1024 * 1024) return
          until++
          slow.pause()
          setTimeout(() => slow.resume(), 200)
        })
        slow.on("error", () => undefined).on("close", () => resume(Effect.succeed(read)))
      })
      expect(length).toBeGreaterThan(32 * 1024 * 1024)
      // The bytes that wait in the kernel are read now; then the end of the connection shows.
      stalled.resume()
      yield* Deferred.await(cut)
      expect(stalled.bytesRead).toBeLessThan(32 * 1024 * 1024)
      expect(handled.map(({ status }) => status)).toEqual([200, 200])
    })
  )

  it.scopedLive("are one kind of refusal of the parser: all of them are counted and logged", () =>
    Effect.gen(function* () {
      const { handled, metrics, port } = yield* serve({})
      yield* Raw.exchange(port, "NONSENSE\r\n\r\n")
      yield* Raw.exchange(port, `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`)
      yield* Raw.exchange(port, "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
      yield* Raw.exchange(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\nNONSENSE\r\n\r\n")
      yield* eventually(
        Effect.sync(() => handled.length),
        (count) => count >= 5
      )
      expect(handled.map(({ method, status }) => [method, status])).toEqual([
        ["-", 400],
        ["-", 431],
        ["GET", 400],
        ["GET", 200],
        ["-", 400]
      ])
      const text = yield* metrics
      expect(text).toMatch(/^http_requests_total 5$/m)
      expect(text).toMatch(/^http_responses_total\{class="4xx"\} 4$/m)
    })
  )
})

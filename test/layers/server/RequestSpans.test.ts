// The span of a request, on the real server with a tracer of the program's own.
import { FetchHttpClient, HttpClient, HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { describe, expect, it, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Layer, Stream } from "effect"
import { HttpServerResponse } from "@effect/platform"
import { request } from "node:http"
import * as Respond from "../../../routes/session/Respond.ts"
import * as WebSockets from "../../../routes/session/WebSockets.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { eventually } from "../../support/Eventually.ts"
import * as RecordedSpans from "../../support/RecordedSpans.ts"
import * as Serving from "../../support/Serving.ts"
import * as WebSocketClient from "../../support/WebSocketClient.ts"

const trace = "0af7651916cd43dd8448eb211c80319c"
const parent = "b7ad6b7169203331"
const verifier = "f".repeat(64)

const started = Deferred.unsafeMake<void>(Effect.runSync(Effect.fiberId))

const ok = Effect.succeed(Respond.json({}))

/** Asks the route `/headers` of this server through Effect's own client. */
const calling = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const received = yield* HttpClient.get(`http://${headers["host"]}/headers`)
  return Respond.json(yield* received.json)
}).pipe(Effect.withSpan("calling"), Effect.provide(FetchHttpClient.layer), Effect.orDie)

const torn = new Error("torn")

const routes = [
  HttpLayerRouter.route("GET", "/articles/:id", ok),
  HttpLayerRouter.route("GET", "/reset/:selector/:verifier", ok),
  HttpLayerRouter.route("GET", "/working", Effect.withSpan(ok, "Orders.place")),
  HttpLayerRouter.route("GET", "/calling", calling),
  HttpLayerRouter.route(
    "GET",
    "/headers",
    Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
      Respond.json({ traceparent: headers["traceparent"] })
    )
  ),
  HttpLayerRouter.route("GET", "/broken", Effect.die(new Error("broken"))),
  HttpLayerRouter.route("GET", "/hanging", Effect.zipRight(Deferred.succeed(started, undefined), Effect.never)),
  HttpLayerRouter.route(
    "GET",
    "/endless",
    Effect.succeed(HttpServerResponse.stream(Stream.concat(Stream.make(new Uint8Array(10)), Stream.never)))
  ),
  WebSockets.route()(
    HttpLayerRouter.route(
      "GET",
      "/socket/:room",
      WebSockets.response((socket) => socket.runRaw((text) => (text === "die" ? Effect.die(torn) : Effect.void)))
    )
  ),
  HttpLayerRouter.route(
    "GET",
    "/cut",
    Effect.succeed(
      HttpServerResponse.stream(Stream.concat(Stream.make(new Uint8Array(10)), Stream.dieMessage("the disk is gone")))
    )
  )
]

const served = Serving.layer(routes).pipe(Layer.provideMerge(RecordedSpans.layer))

/** The ended spans of this name, once there are some. */
const spansOf = (name: string) =>
  Effect.flatMap(RecordedSpans.RecordedSpans, (spans) =>
    eventually(
      Effect.sync(() => spans.filter((span) => span.name === name && RecordedSpans.isEnded(span))),
      (found) => found.length > 0
    )
  )

const get = (path: string, headers: Record<string, string> = {}) =>
  Effect.flatMap(ServerAddress, ({ url }) => Effect.promise(() => fetch(`${url}${path}`, { headers })))

const last = <A>(all: ReadonlyArray<A>): A => {
  const found = all.at(-1)
  if (found === undefined) throw new Error("there is none")
  return found
}

layer(served, { excludeTestServices: true })("A request with a tracer", (it) => {
  it.effect("is one span with the pattern of its route", () =>
    Effect.gen(function* () {
      const response = yield* get("/articles/7?page=2")
      const span = last(yield* spansOf("GET /articles/:id"))
      expect(span.kind).toBe("server")
      expect(span.parent._tag).toBe("None")
      expect(Object.fromEntries(span.attributes)).toMatchObject({
        "http.request.method": "GET",
        "http.route": "/articles/:id",
        "url.path": "/articles/:id",
        "url.scheme": "http",
        "client.address": "127.0.0.1",
        "http.response.status_code": 200,
        "http.response.header.x-request-id": [response.headers.get("x-request-id")]
      })
      expect(span.attributes.has("error.type")).toBe(false)
    })
  )

  it.effect("has no secret of its path, its query or its headers", () =>
    Effect.gen(function* () {
      yield* get(`/reset/abc/${verifier}?token=${verifier}`, { cookie: `session=${verifier}` })
      yield* get(`/elsewhere/${verifier}`)
      const spans = [...(yield* spansOf("GET /reset/:selector/:verifier")), ...(yield* spansOf("GET"))]
      for (const span of spans) expect(JSON.stringify([span.name, ...span.attributes])).not.toContain(verifier)
    })
  )

  it.effect("continues the trace of its client", () =>
    Effect.gen(function* () {
      yield* get("/articles/1", { traceparent: `00-${trace}-${parent}-01`, tracestate: "vendor=1" })
      const span = last(yield* spansOf("GET /articles/:id"))
      expect(span.traceId).toBe(trace)
      expect(RecordedSpans.parentOf(span)).toBe(parent)
    })
  )

  it.effect("begins a trace of its own when the one of its client is malformed", () =>
    Effect.gen(function* () {
      for (const traceparent of [
        `00-${"0".repeat(32)}-${parent}-01`,
        `ff-${trace}-${parent}-01`,
        "junk",
        `${"9".repeat(8000)}`
      ]) {
        yield* get("/articles/1", { traceparent })
        const span = last(yield* spansOf("GET /articles/:id"))
        expect(span.parent._tag).toBe("None")
        expect(span.traceId).not.toBe(trace)
      }
    })
  )

  it.effect("is the parent of what its handler does", () =>
    Effect.gen(function* () {
      yield* get("/working")
      const request = last(yield* spansOf("GET /working"))
      const work = last(yield* spansOf("Orders.place"))
      expect(RecordedSpans.parentOf(work)).toBe(request.spanId)
      expect(work.traceId).toBe(request.traceId)
    })
  )

  it.effect("is passed on by Effect's HTTP client", () =>
    Effect.gen(function* () {
      const response = yield* get("/calling", { traceparent: `00-${trace}-${parent}-01` })
      const { traceparent } = yield* Effect.promise(() => response.json() as Promise<{ traceparent: string }>)
      expect(traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`))
      const called = last(yield* spansOf("GET /headers"))
      expect(called.traceId).toBe(trace)
      expect(RecordedSpans.parentOf(called)).toBe(traceparent.slice(36, 52))
    })
  )

  it.effect("has an error type after an exception, and not after a wrong path", () =>
    Effect.gen(function* () {
      yield* get("/broken")
      const broken = last(yield* spansOf("GET /broken"))
      expect(Object.fromEntries(broken.attributes)).toMatchObject({
        "http.response.status_code": 500,
        "error.type": "500"
      })
      expect(Exit.isFailure(RecordedSpans.exitOf(broken) ?? Exit.void)).toBe(true)
      yield* get("/nowhere")
      const missed = last(yield* spansOf("GET"))
      expect(missed.attributes.get("http.response.status_code")).toBe(404)
      expect(missed.attributes.has("error.type")).toBe(false)
      expect(missed.attributes.has("http.route")).toBe(false)
      expect(Exit.isSuccess(RecordedSpans.exitOf(missed) ?? Exit.fail("open"))).toBe(true)
    })
  )

  it.effect("ends when its client disconnects", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const aborted = request(`${url}/hanging`).on("error", () => {})
      aborted.end()
      yield* Deferred.await(started)
      aborted.destroy()
      const span = last(yield* spansOf("GET /hanging"))
      expect(span.attributes.get("error.type")).toBe("aborted")
      expect(span.attributes.has("http.response.status_code")).toBe(false)
      const exit = RecordedSpans.exitOf(span)
      expect(exit !== undefined && Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)).toBe(true)
    })
  )

  it.effect("has no error when its client leaves a stream that has begun", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      yield* Effect.async<void>((resume) => {
        const leaving = request(`${url}/endless`, (response) =>
          response.once("data", () => {
            leaving.destroy()
            resume(Effect.void)
          })
        ).on("error", () => {})
        leaving.end()
      })
      const span = last(yield* spansOf("GET /endless"))
      expect(span.attributes.get("http.response.status_code")).toBe(200)
      expect(span.attributes.has("error.type")).toBe(false)
      expect(Exit.isSuccess(RecordedSpans.exitOf(span) ?? Exit.fail("open"))).toBe(true)
    })
  )

  it.scoped("is the handshake of a WebSocket, and another one is how the socket ended", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      for (const message of ["die", "close"]) {
        const client = yield* WebSocketClient.open(`${url}/socket/7`)
        if (message === "die") client.send(message)
        else client.socket.close()
        yield* client.closed
      }
      const [died, closed] = yield* eventually(spansOf("WEBSOCKET /socket/:room"), ({ length }) => length === 2)
      const [first, second] = yield* spansOf("GET /socket/:room")
      if (died === undefined || closed === undefined) return yield* Effect.dieMessage("there are none")
      expect([RecordedSpans.parentOf(died), RecordedSpans.parentOf(closed)]).toEqual([first?.spanId, second?.spanId])
      expect(first?.attributes.get("http.response.status_code")).toBe(101)
      expect(first?.attributes.has("error.type")).toBe(false)
      expect(died.attributes.get("error.type")).toBe("incomplete")
      const exit = RecordedSpans.exitOf(died)
      expect(exit !== undefined && Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({ message: "torn" })
      expect(closed.attributes.has("error.type")).toBe(false)
      expect(Exit.isSuccess(RecordedSpans.exitOf(closed) ?? Exit.fail("open"))).toBe(true)
    })
  )

  it.effect("ends when its response breaks off", () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(ServerAddress, ({ url }) =>
        Effect.promise(() =>
          fetch(`${url}/cut`)
            .then((response) => response.text())
            .catch(() => "")
        )
      )
      const span = last(yield* spansOf("GET /cut"))
      expect(span.attributes.get("error.type")).toMatch(/^(?:incomplete|500)$/)
      expect(Exit.isFailure(RecordedSpans.exitOf(span) ?? Exit.void)).toBe(true)
    })
  )
})

describe("A request without a tracer", () => {
  it.scopedLive("has no span", () =>
    Effect.gen(function* () {
      const response = yield* get("/open")
      expect(yield* Effect.promise(() => response.json())).toEqual({ open: false })
    }).pipe(
      Effect.provide(
        Serving.layer([
          HttpLayerRouter.route(
            "GET",
            "/open",
            Effect.withFiberRuntime((fiber) => Effect.succeed(Respond.json({ open: fiber.currentSpan !== undefined })))
          )
        ])
      )
    )
  )
})

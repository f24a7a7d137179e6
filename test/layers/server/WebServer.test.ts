import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { describe, expect, it, layer } from "@effect/vitest"
import { Clock, Deferred, Effect, Exit, Fiber, Layer, Ref, Schedule, Scope, Stream, TestClock } from "effect"
import { connect } from "node:net"
import { Sockets } from "../../../layers/server/Sockets.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as Health from "../../../routes/observability/Health.ts"
import * as Respond from "../../../routes/session/Respond.ts"
import * as ForwardedFor from "../../../src/session/internal/ForwardedFor.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import { html } from "../../../src/http/Html.ts"
import * as HealthChecks from "../../../src/observability/HealthChecks.ts"
import { Readiness } from "../../../src/observability/internal/HealthResult.ts"
import { SocketTotals } from "../../../layers/observability/internal/SocketCounters.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestClient from "../../../testing/TestClient.ts"
import { eventually } from "../../support/Eventually.ts"
import * as Raw from "../../support/Raw.ts"
import * as Serving from "../../support/Serving.ts"

const route = HttpLayerRouter.route

const echo = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
  Effect.map(request.text, (text) => Respond.json({ length: text.length }))
)

const finalized = { count: 0 }

const routes = [
  route(
    "GET",
    "/hello",
    Effect.sync(() => Respond.json({ hello: "world" }))
  ),
  route(
    "GET",
    "/items/:id",
    Effect.map(HttpLayerRouter.params, ({ id }) => Respond.json({ id }))
  ),
  route("POST", "/echo", echo),
  route("GET", "/page", Effect.succeed(Respond.page(html`<p>Grüße, 世界</p>`))),
  route(
    "GET",
    "/query",
    Effect.map(HttpServerRequest.ParsedSearchParams, (query) => Respond.json(query))
  ),
  route("GET", "/empty", Effect.succeed(HttpServerResponse.empty({ status: 204 }))),
  route("GET", "/bytes", Effect.succeed(HttpServerResponse.uint8Array(new Uint8Array([104, 105])))),
  route(
    "GET",
    "/stream",
    Effect.succeed(HttpServerResponse.stream(Stream.make("one ", "two").pipe(Stream.encodeText)))
  ),
  route(
    "GET",
    "/broken",
    Effect.succeed(
      HttpServerResponse.stream(Stream.make("half").pipe(Stream.encodeText, Stream.concat(Stream.fail("torn"))))
    )
  ),
  route(
    "GET",
    "/split",
    Effect.succeed(HttpServerResponse.empty({ status: 200, headers: { "x-a": "b\r\nx-evil: 1" } }))
  ),
  route(
    "GET",
    "/scoped",
    Effect.gen(function* () {
      yield* Effect.addFinalizer(() => Effect.sync(() => void finalized.count++))
      return Respond.json({ before: finalized.count })
    })
  )
]

const client = Effect.map(ServerAddress, ({ url }) => TestClient.make(url))

layer(Serving.layer(routes, { probe: "/livez" }))("WebServer", (it) => {
  it.effect("responds to a route with the security headers and a request id", () =>
    Effect.gen(function* () {
      const response = yield* (yield* client).get("/hello")
      expect(response.status).toBe(200)
      expect(response.body).toBe('{"hello":"world"}')
      expect(response.headers.get("content-length")).toBe("17")
      expect(response.headers.get("x-content-type-options")).toBe("nosniff")
      expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
      expect(response.headers.get("content-security-policy")).not.toContain("unsafe-inline")
      expect(response.headers.get("referrer-policy")).toBe("same-origin")
      expect(response.headers.get("strict-transport-security")).toMatch(/^max-age=\d+/)
      expect(response.headers.get("permissions-policy")).toContain("camera=()")
      expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/)
    })
  )

  it.effect("lets data do nothing in a browser, and a page use what is ours", () =>
    Effect.gen(function* () {
      const { get } = yield* client
      const policy = (path: string) =>
        Effect.map(get(path), ({ headers }) => [
          headers.get("content-security-policy"),
          headers.get("cross-origin-opener-policy")
        ])
      expect(yield* policy("/hello")).toEqual(["default-src 'none'; frame-ancestors 'none'", null])
      const [page, opener] = yield* policy("/page")
      expect(page).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';.* frame-ancestors 'none'/)
      expect(page).not.toContain("unsafe-inline")
      expect(opener).toBe("same-origin")
    })
  )

  it.effect("counts bytes, not characters", () =>
    Effect.gen(function* () {
      const response = yield* (yield* client).get("/page")
      expect(response.body).toBe("<p>Grüße, 世界</p>")
      expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(response.body)))
    })
  )

  it.effect("finds a fixed path with a query and without, one request knowing nothing of another's", () =>
    Effect.gen(function* () {
      const { get } = yield* client
      expect((yield* get("/query?a=1&a=2&b=")).json).toEqual({ a: ["1", "2"], b: "" })
      expect((yield* get("/query")).json).toEqual({})
      expect((yield* get("/query?")).json).toEqual({})
      expect((yield* get("/query/")).status).toBe(404)
      expect((yield* get("/QUERY")).status).toBe(404)
    })
  )

  it.effect("keeps a request id of 1 to 128 token characters and replaces any other", () =>
    Effect.gen(function* () {
      const { request } = yield* client
      const idOf = (given: string) =>
        Effect.map(request("/hello", { headers: { "x-request-id": given } }), ({ headers }) =>
          headers.get("x-request-id")
        )
      expect(yield* idOf("abc-123.~")).toBe("abc-123.~")
      expect(yield* idOf("a".repeat(128))).toBe("a".repeat(128))
      expect(yield* idOf("a".repeat(129))).not.toBe("a".repeat(129))
      expect(yield* idOf('a"b')).not.toBe('a"b')
      expect(yield* idOf("a b")).not.toBe("a b")
    })
  )

  it.effect("gives the parameters of the path to the handler", () =>
    Effect.gen(function* () {
      expect((yield* (yield* client).get("/items/a%2Fb")).body).toBe('{"id":"a/b"}')
    })
  )

  it.effect.each([
    ["GET", "/nope", 404],
    ["GET", "/hello/", 404],
    ["GET", "//hello", 404],
    ["GET", "/HELLO", 404],
    ["POST", "/hello", 405],
    ["DELETE", "/echo", 405],
    ["OPTIONS", "/hello", 204],
    ["GET", "/%E0%A4%A", 400]
  ] as const)("responds to %s %s with %s", ([method, path, status]) =>
    Effect.gen(function* () {
      const response = yield* (yield* client).request(path, { method })
      expect(response.status).toBe(status)
      expect(response.headers.get("x-content-type-options")).toBe("nosniff")
      if (status === 405 || status === 204) expect(response.headers.get("allow")).toMatch(/GET, HEAD|POST/)
    })
  )

  it.effect("responds to HEAD as to GET, without the body", () =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const received = yield* Raw.exchange(port, Raw.request("HEAD /hello HTTP/1.1"))
      expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
      expect(received).toMatch(/content-length: 17\r\n/)
      expect(received.endsWith("\r\n\r\n")).toBe(true)
    })
  )

  it.effect("sends empty, byte and streamed bodies", () =>
    Effect.gen(function* () {
      const { get } = yield* client
      expect((yield* get("/empty")).status).toBe(204)
      expect((yield* get("/bytes")).body).toBe("hi")
      expect((yield* get("/stream")).body).toBe("one two")
    })
  )

  it.effect("breaks the connection of a stream that fails after its head was sent", () =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const received = yield* Raw.exchange(port, Raw.request("GET /broken HTTP/1.1"))
      expect(received.endsWith("0\r\n\r\n")).toBe(false)
    })
  )

  it.effect("never sends a header with a line break in it", () =>
    Effect.gen(function* () {
      const response = yield* (yield* client).get("/split")
      expect(response.status).toBe(500)
      expect(response.headers.get("x-evil")).toBeNull()
    })
  )

  it.effect("runs the finalizers of a request after its response", () =>
    Effect.gen(function* () {
      const { get } = yield* client
      const first = JSON.parse((yield* get("/scoped")).body) as { before: number }
      yield* Effect.sync(() => finalized.count).pipe(Effect.repeat({ until: (count) => count === first.before + 1 }))
      const second = JSON.parse((yield* get("/scoped")).body) as { before: number }
      expect(second.before).toBe(first.before + 1)
    })
  )

  it.effect("takes a body of 1 MiB and refuses one byte more, declared or not", () =>
    Effect.gen(function* () {
      const { request } = yield* client
      const limit = 1024 * 1024
      expect((yield* request("/echo", { body: "x".repeat(limit) })).body).toBe(`{"length":${limit}}`)
      expect((yield* request("/echo", { body: "x".repeat(limit + 1) })).status).toBe(413)
      const { port } = yield* ServerAddress
      const chunk = `40000\r\n${"x".repeat(0x40000)}\r\n`
      const chunked = Raw.request("POST /echo HTTP/1.1", ["Transfer-Encoding: chunked"], `${chunk.repeat(5)}0\r\n\r\n`)
      expect(yield* Raw.exchange(port, chunked)).toMatch(/^HTTP\/1\.1 413 /)
    })
  )

  it.effect("refuses a body that is too long before a client with 100-continue sends it, and lets others send", () =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const refused = Raw.request("POST /echo HTTP/1.1", ["Expect: 100-continue", "Content-Length: 2000000"])
      expect(yield* Raw.exchange(port, refused)).toMatch(/^HTTP\/1\.1 413 /)
      const taken = Raw.request("POST /echo HTTP/1.1", ["Expect: 100-continue", "Content-Length: 2"], "hi")
      expect(yield* Raw.exchange(port, taken)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/)
    })
  )

  it.effect.each([
    ["a broken request line", "NONSENSE\r\n\r\n", 400],
    ["an unknown method", Raw.request("BREW /hello HTTP/1.1"), 400],
    ["headers that are too long", Raw.request("GET /hello HTTP/1.1", [`X-Long: ${"a".repeat(20_000)}`]), 431],
    ["two lengths", Raw.request("POST /echo HTTP/1.1", ["Content-Length: 1", "Content-Length: 2"], "ab"), 400],
    [
      "a length and chunks",
      Raw.request("POST /echo HTTP/1.1", ["Content-Length: 1", "Transfer-Encoding: chunked"]),
      400
    ],
    ["a bare line feed in a header", Raw.request("GET /hello HTTP/1.1", ["X-A: b\nX-B: c"]), 400],
    ["no host", "GET /hello HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["an absolute address", Raw.request("GET http://evil.example/hello HTTP/1.1"), 400]
  ] as const)("responds to %s with one short text", ([, text, status]) =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const received = yield* Raw.exchange(port, text)
      expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(received).not.toMatch(/ at .*\.[tj]s/)
    })
  )

  it.effect("responds to the probe before anything else: GET and HEAD, the exact path, without the pipeline", () =>
    Effect.gen(function* () {
      const { get, request } = yield* client
      const response = yield* get("/livez")
      expect(response.status).toBe(200)
      expect(response.body).toBe('{"status":"ok"}')
      expect(response.headers.get("content-type")).toBe("application/json")
      expect(response.headers.get("cache-control")).toBe("no-store")
      expect(response.headers.get("x-request-id")).toBeNull()
      expect((yield* request("/livez", { method: "HEAD" })).status).toBe(200)
      expect((yield* request("/livez", { method: "POST" })).status).toBe(404)
      expect((yield* get("/livez/")).status).toBe(404)
      expect((yield* get("/Livez")).status).toBe(404)
      expect((yield* get("/livez?probe=1")).status).toBe(200)
    })
  )

  it.effect("counts the bytes of its sockets, open and closed", () =>
    Effect.gen(function* () {
      const totals = yield* SocketTotals
      const { port } = yield* ServerAddress
      const before = totals.written()
      const received = yield* Raw.exchange(port, Raw.request("GET /hello HTTP/1.1"))
      yield* Effect.sync(totals.written).pipe(Effect.repeat({ until: (now) => now >= before + received.length }))
      expect(totals.read()).toBeGreaterThan(0)
    })
  )
})

describe("WebServer", () => {
  it.scopedLive("interrupts the fiber of the request whose client went away, and no other", () =>
    Effect.gen(function* () {
      const entered = yield* Ref.make(0)
      const interrupted = yield* Deferred.make<string>()
      const release = yield* Deferred.make<void>()
      const wait = Effect.flatMap(HttpLayerRouter.params, ({ name }) =>
        Ref.update(entered, (count) => count + 1).pipe(
          Effect.zipRight(Deferred.await(release)),
          Effect.as(Respond.json({ name })),
          Effect.onInterrupt(() => Deferred.succeed(interrupted, name ?? ""))
        )
      )
      const context = yield* Layer.build(Serving.layer([route("GET", "/wait/:name", wait)]))
      const { port, url } = yield* Effect.provide(ServerAddress, context)
      const stays = yield* Effect.fork(TestClient.make(url).get("/wait/stays"))
      const socket = connect(port, "127.0.0.1", () => socket.write(Raw.request("GET /wait/leaves HTTP/1.1")))
      yield* Ref.get(entered).pipe(
        Effect.repeat({ until: (count) => count === 2, schedule: Schedule.spaced("2 millis") })
      )
      socket.destroy()
      expect(yield* Deferred.await(interrupted)).toBe("leaves")
      yield* Deferred.succeed(release, undefined)
      expect((yield* Fiber.join(stays)).body).toBe('{"name":"stays"}')
    })
  )

  it.scopedLive("lets a request in flight finish when it stops, and takes no new one", () =>
    Effect.gen(function* () {
      const entered = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const slow = Deferred.succeed(entered, undefined).pipe(
        Effect.zipRight(Deferred.await(release)),
        Effect.as(Respond.json({ finished: true }))
      )
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(Serving.layer([route("GET", "/slow", slow)]), scope)
      const { url } = yield* Effect.provide(ServerAddress, context)
      const response = yield* Effect.fork(TestClient.make(url).get("/slow"))
      yield* Deferred.await(entered)
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* Effect.exit(Effect.tryPromise(() => fetch(url))).pipe(
        Effect.repeat({ until: Exit.isFailure, schedule: Schedule.spaced("2 millis") })
      )
      yield* Deferred.succeed(release, undefined)
      const finished = yield* Fiber.join(response)
      expect(finished.body).toBe('{"finished":true}')
      expect(finished.headers.get("connection")).toBe("close")
      yield* Fiber.join(closing)
    })
  )

  it.scoped("is not ready for its shutdown delay, and serves meanwhile", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const ready = Layer.succeed(Readiness, { check: Effect.void })
      const server = Serving.layer([...routes, ...Health.ready], { shutdownDelay: "4 seconds" })
      const context = yield* Layer.buildWithScope(
        Layer.provideMerge(server, Layer.merge(ready, HealthChecks.layer)),
        scope
      )
      const { url } = yield* Effect.provide(ServerAddress, context)
      const browser = TestClient.make(url)
      expect((yield* browser.get("/readyz")).status).toBe(200)
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      const unready = yield* eventually(browser.get("/readyz"), ({ status }) => status === 503).pipe(
        Effect.withClock(Clock.make())
      )
      expect(unready.json).toEqual({ status: "unavailable", part: "process" })
      const served = yield* browser.get("/hello")
      expect([served.status, served.headers.get("connection")]).toEqual([200, "close"])
      yield* TestClock.adjust("4 seconds")
      yield* Fiber.join(closing)
      expect(Exit.isFailure(yield* Effect.exit(Effect.tryPromise(() => fetch(url))))).toBe(true)
    })
  )

  it.scoped(
    "closes connections that brought no request a second after it stops, and takes one that comes until then",
    () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const context = yield* Layer.buildWithScope(Serving.layer(routes, { drain: "1000 days" }), scope)
        const { port, url } = yield* Effect.provide(ServerAddress, context)
        const { open } = yield* Effect.provide(Sockets, context)
        const opened = Effect.acquireRelease(
          Effect.sync(() => connect(port, "127.0.0.1").setEncoding("latin1")),
          (socket) => Effect.sync(() => socket.destroy())
        )
        const [late, unused] = [yield* opened, yield* opened]
        unused.on("error", () => undefined).resume()
        yield* eventually(
          Effect.sync(() => open.size),
          (count) => count === 2
        ).pipe(Effect.withClock(Clock.make()))
        const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
        yield* eventually(Effect.exit(Effect.tryPromise(() => fetch(url))), Exit.isFailure).pipe(
          Effect.withClock(Clock.make())
        )
        late.write("GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n")
        const response = yield* Effect.promise(() => late.toArray())
        expect(response.join("")).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\nconnection: close\r\n/s)
        expect(unused.closed).toBe(false)
        yield* Effect.repeat(TestClock.adjust("1 second"), { until: () => unused.closed })
        yield* Fiber.join(closing)
      })
  )

  it.scopedLive("cuts off what does not finish within the deadline", () =>
    Effect.gen(function* () {
      const entered = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      const hangs = Deferred.succeed(entered, undefined).pipe(
        Effect.zipRight(Effect.never),
        Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
      )
      const scope = yield* Scope.make()
      const server = Serving.layer([route("GET", "/hangs", hangs)], { drain: "50 millis" })
      const context = yield* Layer.buildWithScope(server, scope)
      const { url } = yield* Effect.provide(ServerAddress, context)
      const response = yield* Effect.fork(Effect.exit(Effect.tryPromise(() => fetch(`${url}/hangs`))))
      yield* Deferred.await(entered)
      yield* Scope.close(scope, Exit.void)
      yield* Deferred.await(interrupted)
      expect(Exit.isFailure(yield* Fiber.join(response))).toBe(true)
    })
  )

  it.scopedLive("says in one line that the port is in use", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(Serving.layer(routes))
      const { port } = yield* Effect.provide(ServerAddress, context)
      const failure = yield* Effect.flip(Layer.build(Serving.layer(routes, { port })))
      expect(failure.message).toBe(
        `cannot listen on 127.0.0.1:${port}: the port is in use; stop the other program or set PORT`
      )
    })
  )

  it.scopedLive("has no probe unless it is configured", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(Serving.layer(routes))
      const { url } = yield* Effect.provide(ServerAddress, context)
      expect((yield* TestClient.make(url).get("/livez")).status).toBe(404)
    })
  )

  it.scopedLive(
    "lets its probe take the path of a user's route for GET and HEAD, and leaves it the other methods",
    () =>
      Effect.gen(function* () {
        let calls = 0
        const response = Effect.sync(() => Respond.json({ route: ++calls }))
        const own = [
          route("GET", "/health", response),
          route("POST", "/health", response),
          route("GET", "/health/x", response)
        ]
        const context = yield* Layer.build(Serving.layer(own, { probe: "/health" }))
        const { url } = yield* Effect.provide(ServerAddress, context)
        const { get, request } = TestClient.make(url)
        expect((yield* get("/health")).body).toBe('{"status":"ok"}')
        expect((yield* get("/health?x=1")).body).toBe('{"status":"ok"}')
        expect((yield* request("/health", { method: "HEAD" })).headers.get("x-request-id")).toBeNull()
        expect(calls).toBe(0)
        expect((yield* request("/health", { method: "POST" })).body).toBe('{"route":1}')
        expect((yield* get("/health/x")).body).toBe('{"route":2}')
      })
  )

  it.scopedLive("joins the lines of X-Forwarded-For in their order, however many lines there are", () =>
    Effect.gen(function* () {
      const peer = route(
        "GET",
        "/peer",
        Effect.map(RequestState, ({ clientAddress: peer }) => Respond.text(peer))
      )
      const trusted = ForwardedFor.parseTrusted("127.0.0.1,10.0.0.0/8") ?? []
      const context = yield* Layer.build(Serving.layer([peer], { trusted }))
      const { port } = yield* Effect.provide(ServerAddress, context)
      const forwarded = (...values: ReadonlyArray<string>) =>
        Raw.request(
          "GET /peer HTTP/1.1",
          values.map((value) => `X-Forwarded-For: ${value}`)
        )
      const told = (...values: ReadonlyArray<string>) =>
        Effect.map(Raw.exchange(port, forwarded(...values)), (received) =>
          received.slice(received.indexOf("\r\n\r\n") + 4)
        )
      expect(yield* told("198.51.100.1", "203.0.113.7")).toBe("203.0.113.7")
      expect(yield* told("198.51.100.1", "203.0.113.7, 10.1.2.3")).toBe("203.0.113.7")
      expect(yield* told("203.0.113.7", "10.1.2.3", "10.9.9.9")).toBe("203.0.113.7")
      // A client's lines cannot push out that of the proxy: with more than are read the request is refused.
      const filler = Array.from({ length: 900 }, () => "a:")
      const many = Raw.request("GET /peer HTTP/1.1", [...filler, "X-Forwarded-For: 203.0.113.7"])
      expect(yield* Raw.exchange(port, many)).toMatch(/\r\n\r\n203\.0\.113\.7$/)
      const more = Raw.request("GET /peer HTTP/1.1", [...filler, ...filler, "X-Forwarded-For: 203.0.113.7"])
      expect(yield* Raw.exchange(port, more)).toMatch(/^HTTP\/1\.1 431 /)
    })
  )

  it.scopedLive("serves the same routes through the stock router", () =>
    Effect.gen(function* () {
      const services = yield* Layer.build(Serving.support())
      const app = HttpLayerRouter.addAll(Pipeline.mounted(Pipeline.stateless(routes)))
      const { dispose, handler } = HttpLayerRouter.toWebHandler(app, { disableLogger: true })
      yield* Effect.addFinalizer(() => Effect.promise(dispose))
      const response = yield* Effect.promise(() => handler(new Request("http://localhost/hello"), services))
      expect(yield* Effect.promise(() => response.text())).toBe('{"hello":"world"}')
      expect(response.headers.get("x-content-type-options")).toBe("nosniff")
      expect(response.headers.get("x-request-id")).not.toBeNull()
    })
  )
})

// Requests that are read in one turn of the event loop, over real sockets.
import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { type Context, Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { connect, type Socket } from "node:net"
import * as Respond from "../../../routes/session/Respond.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import { type Handled, RequestEvents } from "../../../src/observability/RequestEvents.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { eventually } from "../../support/Eventually.ts"
import * as Raw from "../../support/Raw.ts"
import * as RecordedSpans from "../../support/RecordedSpans.ts"
import * as Serving from "../../support/Serving.ts"

const { route } = HttpLayerRouter

/** Connections that the server has accepted: each has had a response. */
const opened = (port: number, count: number) =>
  Effect.forEach(
    Array.from({ length: count }),
    () =>
      Effect.acquireRelease(
        Effect.async<Socket>((resume) => {
          const socket = connect(port, "127.0.0.1", () => socket.write("GET /first HTTP/1.1\r\nHost: a\r\n\r\n"))
          socket.on("error", () => undefined)
          socket.once("data", () => resume(Effect.succeed(socket)))
        }),
        (socket) => Effect.sync(() => socket.destroy())
      ),
    { concurrency: "unbounded" }
  )

/** Everything that comes on a connection until it is closed. */
const rest = (socket: Socket) =>
  Effect.async<string>((resume) => {
    let received = ""
    socket.on("data", (chunk) => (received += chunk.toString("latin1")))
    socket.once("close", () => resume(Effect.succeed(received)))
  })

const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1])
const bodyOf = (text: string) => text.slice(text.indexOf("\r\n\r\n") + 4)

/** As long as many others take together. */
const busy = Effect.sync(() => {
  const until = performance.now() + 25
  while (performance.now() < until);
  return Respond.text("busy")
})

const isWhole = (text: string) => text.includes("\r\n\r\n")

const listening = (context: Context.Context<RequestEvents>, handled: (event: Handled) => unknown) =>
  Effect.provide(
    Effect.flatMap(RequestEvents, ({ listen }) => listen({ handled: (event) => void handled(event) })),
    context
  )

const serving = <E, R>(routes: ReadonlyArray<HttpLayerRouter.Route<E, R>>) =>
  Effect.flatMap(Layer.build(Serving.layer(routes)), (context) =>
    Effect.map(Effect.provide(ServerAddress, context), ({ port }) => port)
  )

const first = route("GET", "/first", Effect.succeed(Respond.text("first")))

describe("Requests of one turn", () => {
  it.scopedLive("get each its own response, whatever the others do", () =>
    Effect.gen(function* () {
      const named = Effect.map(HttpLayerRouter.params, ({ name = "" }) => Respond.text(`named ${name}`))
      const later = Effect.zipRight(Effect.yieldNow(), named)
      const routes = [
        first,
        route("GET", "/now/:name", named),
        route("GET", "/later/:name", later),
        route("GET", "/dies/:name", Effect.die(new Error("broken"))),
        route("GET", "/header/:name", Effect.succeed(Respond.text("", { headers: { "x-split": "a\r\nb" } })))
      ]
      const context = yield* Layer.build(Serving.layer(routes))
      const { port } = yield* Effect.provide(ServerAddress, context)
      const paths = ["now", "dies", "later", "header", "missing", "now", "bad path", "later"]
      const sockets = yield* opened(port, 4 * paths.length)
      const sent = sockets.map((socket, at) => ({ socket, path: `/${paths[at % paths.length]}/${at}` }))
      const received = yield* Effect.forEach(
        sent,
        ({ path, socket }) =>
          Effect.zipRight(
            Effect.sync(() => socket.write(Raw.request(`GET ${path} HTTP/1.1`))),
            rest(socket)
          ),
        { concurrency: "unbounded" }
      )
      const statuses: Readonly<Record<string, number>> = { dies: 500, header: 500, missing: 404, "bad path": 400 }
      sent.forEach(({ path }, at) => {
        const [, kind = "", name = ""] = path.split("/")
        const text = received[at] ?? ""
        expect(statusOf(text), path).toBe(statuses[kind] ?? 200)
        if (statuses[kind] === undefined) expect(bodyOf(text)).toBe(`named ${name}`)
      })
    })
  )

  it.scopedLive("have arrived before the response of any of them was made", () =>
    Effect.gen(function* () {
      const arrivals: Array<number> = []
      const made: Array<number> = []
      const note = Effect.map(RequestState, ({ arrived }) => {
        const until = performance.now() + 2
        while (performance.now() < until);
        arrivals.push(arrived)
        made.push(performance.now())
        return Respond.text("noted")
      })
      const context = yield* Layer.build(Serving.layer([first, route("GET", "/note", note)]))
      const { port } = yield* Effect.provide(ServerAddress, context)
      const durations: Array<number> = []
      yield* listening(context, ({ duration, route: path }) => path === "/note" && durations.push(duration * 1000))
      const round = Effect.gen(function* () {
        for (const list of [arrivals, made, durations]) list.length = 0
        const sockets = yield* opened(port, 8)
        for (const socket of sockets) socket.write(Raw.request("GET /note HTTP/1.1"))
        yield* Effect.forEach(sockets, rest, { concurrency: "unbounded" })
        expect(arrivals).toHaveLength(8)
        return Math.max(...arrivals) < Math.min(...made)
      })
      // The kernel of a busy machine may deliver them in two turns.
      let isTogether = false
      for (let rounds = 0; rounds < 20 && !isTogether; rounds++) isTogether = yield* round
      expect(isTogether).toBe(true)
      // What a request waited for the others of its turn is part of its duration.
      durations.sort((a, b) => a - b)
      made.forEach((at, index) => expect(durations[index]).toBeGreaterThanOrEqual(at - (arrivals[index] ?? 0)))
    })
  )

  it.scopedLive("get their responses when their clients send nothing more, also behind a busy one", () =>
    Effect.gen(function* () {
      const soon = Effect.zipRight(Effect.yieldNow(), Effect.succeed(Respond.text("soon")))
      const echo = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ text }) => Effect.map(text, Respond.text))
      const routes = [
        first,
        route("GET", "/busy", busy),
        route("POST", "/now", Effect.succeed(Respond.text("now"))),
        route("POST", "/soon", soon),
        route("POST", "/echo", echo)
      ]
      const port = yield* serving(routes)
      for (const path of ["/now", "/soon", "/echo"]) {
        const [one, ...others] = yield* opened(port, 4)
        one?.write("GET /busy HTTP/1.1\r\nHost: a\r\n\r\n")
        for (const socket of others) socket.end(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\necho`)
        const received = yield* Effect.forEach(others, rest, { concurrency: "unbounded" })
        expect(received.map(bodyOf), path).toEqual(others.map(() => path.slice(1)))
      }
    })
  )

  it.scopedLive("are interrupted when their connection was cut before they were begun", () =>
    Effect.gen(function* () {
      const interrupted = yield* Deferred.make<void>()
      const waiting = Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
      const context = yield* Layer.build(Serving.layer([first, route("GET", "/wait", waiting)], { pipelined: 1 }))
      const { port } = yield* Effect.provide(ServerAddress, context)
      const aborted = yield* Deferred.make<boolean>()
      yield* listening(context, (event) => Deferred.unsafeDone(aborted, Effect.succeed(event.aborted)))
      // One more than may wait: the connection is cut while the first one waits for the end of its turn.
      expect(yield* Raw.exchange(port, "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n".repeat(3))).toBe("")
      yield* Deferred.await(interrupted)
      expect(yield* Deferred.await(aborted)).toBe(true)
    })
  )

  it.scopedLive("know the address of a client that has gone before they were begun", () =>
    Effect.gen(function* () {
      const noted = yield* Deferred.make<string>()
      const note = Effect.flatMap(RequestState, ({ clientAddress }) =>
        Effect.as(Deferred.succeed(noted, clientAddress), Respond.text("noted"))
      )
      const port = yield* serving([first, route("GET", "/busy", busy), route("GET", "/note", note)])
      const [one] = yield* opened(port, 1)
      const other = connect(port, "127.0.0.1").on("error", () => undefined)
      yield* Effect.async<void>((resume) => void other.once("connect", () => resume(Effect.void)))
      // The server accepts connections in the order in which they came: this one after the other.
      yield* opened(port, 1)
      // From a timer: the event loop reads next, and calls the immediates in their order then.
      yield* Effect.sleep("1 millis")
      one?.write("GET /busy HTTP/1.1\r\nHost: a\r\n\r\n")
      other.write("GET /note HTTP/1.1\r\nHost: a\r\n\r\n")
      setImmediate(() => other.resetAndDestroy())
      expect(yield* Deferred.await(noted)).toBe("127.0.0.1")
    })
  )

  it.scopedLive("have a span that begins when they were read", () =>
    Effect.gen(function* () {
      const spans: Array<RecordedSpans.RecordedSpan> = []
      const ended = yield* Deferred.make<number>()
      const noted = Effect.tap(busy, () => Deferred.succeed(ended, performance.timeOrigin + performance.now()))
      const routes = [first, route("GET", "/busy", noted), route("GET", "/next", Effect.succeed(Respond.text("next")))]
      const context = yield* Effect.withTracer(Layer.build(Serving.layer(routes)), RecordedSpans.make(spans))
      const { port } = yield* Effect.provide(ServerAddress, context)
      const [one, other] = yield* opened(port, 2)
      one?.write("GET /busy HTTP/1.1\r\nHost: a\r\n\r\n")
      other?.write(Raw.request("GET /next HTTP/1.1"))
      if (other !== undefined) yield* rest(other)
      const [before, next] = spans.slice(-2)
      expect([before?.name, next?.name]).toEqual(["GET /busy", "GET /next"])
      expect(Number(next?.status.startTime) / 1e6).toBeLessThan((yield* Deferred.await(ended)) - 5)
    })
  )

  for (const [kind, before] of [
    ["at once", Effect.void],
    ["later", Effect.sleep("5 millis")]
  ] as const) {
    it.scopedLive(`are not begun behind a response that closes the connection, made ${kind}`, () =>
      Effect.gen(function* () {
        const begun: Array<string> = []
        const noting = (name: string) =>
          Effect.zipRight(
            before,
            Effect.sync(() => {
              begun.push(name)
              return Respond.text(name)
            })
          )
        const scope = yield* Scope.make()
        const routes = [first, route("POST", "/a", noting("a")), route("POST", "/b", noting("b"))]
        const context = yield* Layer.buildWithScope(Serving.layer(routes, { shutdownDelay: "200 millis" }), scope)
        const { port } = yield* Effect.provide(ServerAddress, context)
        const [one] = yield* opened(port, 1)
        const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
        yield* eventually(Raw.exchange(port, "GET /first HTTP/1.1\r\nHost: a\r\n\r\n", isWhole), (text) =>
          /connection: close/i.test(text)
        )
        const post = (path: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`
        one?.write(post("/a") + post("/b"))
        const received = one === undefined ? "" : yield* rest(one)
        yield* Fiber.join(closing)
        expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(1)
        expect(begun).toEqual(["a"])
      })
    )
  }

  it.scopedLive("are sent at the end of a turn, but at once where a step has held its response back", () =>
    Effect.gen(function* () {
      const notes: Array<string> = []
      const noting = (before: (() => Effect.Effect<void>) | undefined) =>
        Effect.gen(function* () {
          yield* Effect.addFinalizer(() => Effect.sync(() => notes.push("sent")))
          yield* Effect.yieldNow()
          const state = yield* RequestState
          state.beforeResponse = before
          setImmediate(() => notes.push("turn"))
          return Respond.text("noted")
        })
      const routes = [
        first,
        route("GET", "/usual", noting(undefined)),
        route(
          "GET",
          "/held",
          noting(() => Effect.void)
        )
      ]
      const context = yield* Layer.build(Serving.layer(routes))
      const { port } = yield* Effect.provide(ServerAddress, context)
      yield* Raw.exchange(port, Raw.request("GET /usual HTTP/1.1"))
      yield* Raw.exchange(port, Raw.request("GET /held HTTP/1.1"))
      expect(notes).toEqual(["turn", "sent", "sent", "turn"])
    })
  )
})

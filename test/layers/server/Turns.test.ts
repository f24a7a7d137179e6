// Requests that are read in one turn of the event loop, over real sockets.
import { HttpLayerRouter } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { connect, type Socket } from "node:net"
import * as Respond from "../../../routes/http/Respond.ts"
import { Exchange } from "../../../src/http/Exchange.ts"
import { RequestEvents } from "../../../src/observability/RequestEvents.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as Raw from "../../support/Raw.ts"
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

/** Longer than a turn goes on. */
const busy = Effect.sync(() => {
  const until = performance.now() + 25
  while (performance.now() < until);
  return Respond.text("busy")
})

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
      const note = Effect.map(Exchange, ({ arrived }) => {
        const until = performance.now() + 2
        while (performance.now() < until);
        arrivals.push(arrived)
        made.push(performance.now())
        return Respond.text("noted")
      })
      const context = yield* Layer.build(Serving.layer([first, route("GET", "/note", note)]))
      const { port } = yield* Effect.provide(ServerAddress, context)
      const durations: Array<number> = []
      yield* Effect.provide(
        Effect.flatMap(RequestEvents, ({ listen }) =>
          listen({ handled: ({ duration, route: path }) => void (path === "/note" && durations.push(duration * 1000)) })
        ),
        context
      )
      const sockets = yield* opened(port, 8)
      for (const socket of sockets) socket.write(Raw.request("GET /note HTTP/1.1"))
      yield* Effect.forEach(sockets, rest, { concurrency: "unbounded" })
      expect(arrivals).toHaveLength(8)
      // What a request waited for the others of its turn is part of its duration.
      durations.sort((a, b) => a - b)
      made.forEach((at, index) => expect(durations[index]).toBeGreaterThanOrEqual(at - (arrivals[index] ?? 0)))
      expect(Math.max(...arrivals)).toBeLessThan(Math.min(...made))
    })
  )

  it.scopedLive("get their responses when their clients send nothing more", () =>
    Effect.gen(function* () {
      const routes = [
        first,
        route("GET", "/soon", Effect.zipRight(Effect.yieldNow(), Effect.succeed(Respond.text("soon"))))
      ]
      const context = yield* Layer.build(Serving.layer(routes))
      const { port } = yield* Effect.provide(ServerAddress, context)
      for (const path of ["/first", "/soon"]) {
        const sockets = yield* opened(port, 4)
        for (const socket of sockets) socket.end(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
        const received = yield* Effect.forEach(sockets, rest, { concurrency: "unbounded" })
        expect(received.map(bodyOf), path).toEqual(Array.from({ length: 4 }, () => path.slice(1)))
      }
    })
  )

  it.scopedLive("are interrupted when their connection was cut before they were begun", () =>
    Effect.gen(function* () {
      const interrupted = yield* Deferred.make<void>()
      const waiting = Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
      const routes = [first, route("GET", "/busy", busy), route("GET", "/wait", waiting)]
      const context = yield* Layer.build(Serving.layer(routes, { pipelined: 1 }))
      const { port } = yield* Effect.provide(ServerAddress, context)
      const aborted = yield* Deferred.make<boolean>()
      yield* Effect.provide(
        Effect.flatMap(RequestEvents, ({ listen }) =>
          listen({
            handled: (event) =>
              void (event.route === "/wait" && Deferred.unsafeDone(aborted, Effect.succeed(event.aborted)))
          })
        ),
        context
      )
      const [one, other] = yield* opened(port, 2)
      one?.write("GET /busy HTTP/1.1\r\nHost: a\r\n\r\n")
      // One more than may wait: the connection is cut while the first one waits for the end of a turn.
      other?.write("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n".repeat(3))
      yield* Deferred.await(interrupted)
      expect(yield* Deferred.await(aborted)).toBe(true)
    })
  )

  it.scopedLive("are sent at the end of a turn, but at once where a step has held its response back", () =>
    Effect.gen(function* () {
      const notes: Array<string> = []
      const noting = (before: (() => Effect.Effect<void>) | undefined) =>
        Effect.gen(function* () {
          yield* Effect.addFinalizer(() => Effect.sync(() => notes.push("sent")))
          yield* Effect.yieldNow()
          const exchange = yield* Exchange
          exchange.beforeResponse = before
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

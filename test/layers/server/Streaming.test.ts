import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Stream } from "effect"
import { Readable } from "node:stream"
import * as WorkerReporters from "../../../layers/errors/WorkerReporters.ts"
import * as WebServer from "../../../layers/server/WebServer.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import { requestJson, requestPretty } from "../../../src/observability/internal/LogFormat.ts"
import { Reporters } from "../../../src/errors/Reporters.ts"
import * as RequestEvents from "../../../src/observability/RequestEvents.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { eventually } from "../../support/Eventually.ts"
import * as Raw from "../../support/Raw.ts"
import * as Serving from "../../support/Serving.ts"

const support = Layer.merge(Serving.support(), WorkerReporters.layer)

const serve = (handler: Effect.Effect<HttpServerResponse.HttpServerResponse>) =>
  Effect.gen(function* () {
    const app = Pipeline.app(Pipeline.stateless([HttpLayerRouter.route("GET", "/body", handler)]))
    const context = yield* Layer.build(
      WebServer.layer(app, { host: "127.0.0.1", port: 0 }).pipe(Layer.provideMerge(support))
    )
    const reported: Array<string> = []
    const handled: Array<RequestEvents.Handled> = []
    return yield* Effect.gen(function* () {
      const { port } = yield* ServerAddress
      yield* (yield* Reporters).add((throwable) => void reported.push(throwable.message))
      yield* (yield* RequestEvents.RequestEvents).listen({ handled: (event) => void handled.push(event) })
      return { port, reported, handled }
    }).pipe(Effect.provide(context))
  })

const get = "GET /body HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

const stream = (body: Stream.Stream<Uint8Array, unknown>) => Effect.sync(() => HttpServerResponse.stream(body))

const torn = new Error("torn")

const early = {
  "a stream": stream(Stream.fail(torn)),
  "a stream that waits": stream(Stream.fromEffect(Effect.zipRight(Effect.sleep("5 millis"), Effect.fail(torn)))),
  "a stream that dies": stream(Stream.die(torn)),
  "a node stream": Effect.sync(() =>
    HttpServerResponse.raw(
      new Readable({
        read() {
          this.destroy(torn)
        }
      })
    )
  ),
  "a node stream that breaks when its first byte is there": Effect.sync(() => {
    const source = new Readable({ read: () => undefined })
    source.once("readable", () => source.destroy(torn))
    setImmediate(() => source.push("half"))
    return HttpServerResponse.raw(source)
  }),
  "a node stream that is broken already": Effect.sync(() => {
    const source = new Readable({ read: () => undefined })
    source.on("error", () => undefined).destroy(torn)
    return HttpServerResponse.raw(source)
  })
}

const late = {
  "a stream": (seen: Deferred.Deferred<void>) =>
    stream(
      Stream.make("half").pipe(
        Stream.encodeText,
        Stream.concat(Stream.fromEffect(Effect.zipRight(Deferred.await(seen), Effect.fail(torn))))
      )
    ),
  "a node stream": (seen: Deferred.Deferred<void>) =>
    Effect.sync(() => {
      const source = new Readable({ read: () => undefined })
      source.push("half")
      Effect.runFork(Effect.map(Deferred.await(seen), () => source.destroy(torn)))
      return HttpServerResponse.raw(source)
    })
}

describe("A body that takes time", () => {
  it.scopedLive.each(["a stream", "a node stream"])(
    "%s: its duration ends with its head, and it says how long it lasted",
    (kind) =>
      Effect.gen(function* () {
        const seen = yield* Deferred.make<number>()
        const parts = Stream.make("half").pipe(
          Stream.concat(Stream.fromEffect(Effect.as(Deferred.await(seen), "rest"))),
          Stream.encodeText
        )
        const body =
          kind === "a stream"
            ? stream(parts)
            : Effect.sync(() => HttpServerResponse.raw(Readable.from(Stream.toAsyncIterable(parts))))
        const { handled, port } = yield* serve(body)
        yield* Raw.exchange(port, get, (text) => {
          if (text.includes("half")) Deferred.unsafeDone(seen, Effect.succeed(performance.now()))
        })
        const [event] = yield* eventually(
          Effect.sync(() => handled),
          ({ length }) => length > 0
        )
        const headRead = yield* Deferred.await(seen)
        expect(event).toMatchObject({ status: 200, aborted: false, failed: false })
        expect((event?.at ?? 0) + (event?.duration ?? 0) * 1000).toBeLessThanOrEqual(headRead)
        expect((event?.at ?? 0) + (event?.lasted ?? 0) * 1000).toBeGreaterThanOrEqual(headRead)
      })
  )
})

describe("A body that fails", () => {
  it.scopedLive.each(Object.keys(early) as ReadonlyArray<keyof typeof early>)(
    "%s, before its first byte: a 500 like any failure, counted as one, reported once",
    (kind) =>
      Effect.gen(function* () {
        const { handled, port, reported } = yield* serve(early[kind])
        const received = yield* Raw.exchange(port, get)
        expect(received).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\n/)
        expect(received).toContain("<h1>Internal Server Error</h1>")
        expect(received).toMatch(/x-request-id: /)
        yield* eventually(
          Effect.sync(() => reported.length),
          (count) => count > 0
        )
        expect(reported).toEqual(["torn"])
        expect(handled.map(({ aborted, failed, status }) => [status, aborted, failed])).toEqual([[500, false, false]])
      })
  )

  it.scopedLive.each(Object.keys(late) as ReadonlyArray<keyof typeof late>)(
    "%s, after its first byte: the connection breaks, logged as failed, in no success class, reported once",
    (kind) =>
      Effect.gen(function* () {
        const seen = yield* Deferred.make<void>()
        const { handled, port, reported } = yield* serve(late[kind](seen))
        const half = Raw.exchange(port, get, (text) => {
          if (text.includes("half")) Deferred.unsafeDone(seen, Effect.void)
        })
        const received = yield* half
        expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
        expect(received.endsWith("0\r\n\r\n")).toBe(false)
        yield* eventually(
          Effect.sync(() => reported.length),
          (count) => count > 0
        )
        expect(reported).toEqual(["torn"])
        expect(handled).toMatchObject([{ status: 200, aborted: false, failed: true }])
        const [event] = handled
        if (event === undefined) return
        expect(requestPretty(event)).toMatch(/^GET \/body failed /)
        expect(JSON.parse(requestJson(event, "now"))).toMatchObject({ level: "ERROR", failed: true })
      })
  )

  it.scopedLive("sends an empty stream of either kind, and a long node stream whole", () =>
    Effect.gen(function* () {
      const nothing = Effect.sync(() => HttpServerResponse.raw(Readable.from([])))
      const read = Effect.map(
        Effect.promise(async () => {
          const source = Readable.from([])
          await source.toArray()
          return source
        }),
        (source) => HttpServerResponse.raw(source)
      )
      for (const body of [stream(Stream.empty), nothing, read]) {
        const empty = yield* serve(body)
        expect(yield* Raw.exchange(empty.port, get)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n0\r\n\r\n$/s)
      }
      const long = yield* serve(
        Effect.sync(() => HttpServerResponse.raw(Readable.from(Array.from({ length: 50 }, () => "y".repeat(40_000)))))
      )
      const received = yield* Raw.exchange(long.port, get)
      expect(received.slice(received.indexOf("\r\n\r\n")).split("y").length - 1).toBe(2_000_000)
    })
  )

  it.scopedLive("is closed when its client has gone, which is no failure", () =>
    Effect.gen(function* () {
      const source = new Readable({ read: () => undefined })
      source.push("half")
      const { handled, port, reported } = yield* serve(Effect.succeed(HttpServerResponse.raw(source)))
      yield* Raw.exchange(port, get, (text) => text.includes("half"))
      yield* eventually(
        Effect.sync(() => source.destroyed),
        (isClosed) => isClosed
      )
      expect(handled).toMatchObject([{ status: 200, aborted: true, failed: false }])
      expect(reported).toEqual([])
    })
  )

  it.scopedLive.each(["a stream", "a node stream"].flatMap((kind) => ["3", "345678"].map((rest) => ({ kind, rest }))))(
    "$kind of another length than its content-length says: the connection breaks, and what follows gets no response (12$rest)",
    ({ kind, rest }) =>
      Effect.gen(function* () {
        const seen = yield* Deferred.make<void>()
        const parts = Stream.make("12").pipe(
          Stream.concat(Stream.fromEffect(Effect.as(Deferred.await(seen), rest))),
          Stream.encodeText
        )
        const body =
          kind === "a stream"
            ? stream(parts)
            : Effect.sync(() => HttpServerResponse.raw(Readable.from(Stream.toAsyncIterable(parts))))
        const { handled, port, reported } = yield* serve(
          Effect.map(body, HttpServerResponse.setHeader("content-length", "5"))
        )
        const pipelined = `GET /body HTTP/1.1\r\nHost: localhost\r\n\r\n${get}`
        const received = yield* Raw.exchange(port, pipelined, (text) => {
          if (text.endsWith("\r\n\r\n12")) Deferred.unsafeDone(seen, Effect.void)
        })
        expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n123?$/s)
        yield* eventually(
          Effect.sync(() => reported.length),
          (count) => count > 0
        )
        expect(reported).toEqual([expect.stringMatching(/content-length/)])
        expect(handled).toMatchObject([{ status: 200, aborted: false, failed: true }])
      })
  )

  it.scopedLive("with the length that it says is sent whole on a connection that stays open", () =>
    Effect.gen(function* () {
      const bodies = [
        stream(Stream.make("123", "45").pipe(Stream.encodeText)),
        Effect.sync(() => HttpServerResponse.raw(Readable.from([Buffer.from("123"), Buffer.from("45")])))
      ]
      for (const body of bodies) {
        const { port } = yield* serve(Effect.map(body, HttpServerResponse.setHeader("content-length", "5")))
        const received = yield* Raw.exchange(port, `GET /body HTTP/1.1\r\nHost: localhost\r\n\r\n${get}`)
        expect(received.split("\r\n\r\n12345").length - 1).toBe(2)
        const head = yield* Raw.exchange(port, get.replace("GET", "HEAD"))
        expect(head).toMatch(/\r\ncontent-length: 5\r\n.*\r\n\r\n$/s)
      }
    })
  )

  it.scopedLive("is closed when node refuses the head of its response", () =>
    Effect.gen(function* () {
      const source = new Readable({ read: () => undefined })
      source.push("half")
      const headers = { "content-disposition": 'attachment; filename="☃.txt"' }
      const { port } = yield* serve(Effect.succeed(HttpServerResponse.raw(source, { headers })))
      expect(yield* Raw.exchange(port, get)).toMatch(/^HTTP\/1\.1 500 /)
      expect(source.destroyed).toBe(true)
    })
  )

  it.scopedLive("is a plain 500 with its own reason when even the response to the failure cannot be sent", () =>
    Effect.gen(function* () {
      const broken = Effect.succeed(HttpServerResponse.empty({ status: 200, headers: { "x-a": "b\r\nx-evil: 1" } }))
      const app = Pipeline.app(Pipeline.stateless([HttpLayerRouter.route("GET", "/body", broken)]))
      // Every head of this program is refused by node.
      const head: typeof app.head = (state, response) => [...app.head(state, response), "x-b", "c\r\nx-evil: 1"]
      const server = WebServer.layer({ ...app, head }, { host: "127.0.0.1", port: 0 })
      const context = yield* Layer.build(server.pipe(Layer.provideMerge(support)))
      const { port } = yield* Effect.provide(ServerAddress, context)
      const received = yield* Raw.exchange(port, get)
      expect(received).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\n/)
      expect(received).toMatch(/\r\n\r\nInternal Server Error$/)
      expect(received).not.toContain("evil")
    })
  )

  it.scopedLive("gives a head that node refuses its own reason", () =>
    Effect.gen(function* () {
      const { port, reported } = yield* serve(
        Effect.succeed(HttpServerResponse.empty({ status: 200, headers: { "x-a": "b\r\nx-evil: 1" } }))
      )
      const received = yield* Raw.exchange(port, get)
      expect(received).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\n/)
      expect(received).not.toContain("evil")
      expect(reported).toHaveLength(1)
    })
  )
})

import { HttpLayerRouter } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Schema } from "effect"
import { fork } from "node:child_process"
import { connect } from "node:net"
import * as Respond from "../../../routes/session/Respond.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestClient from "../../../testing/TestClient.ts"
import { bundle } from "../../support/Bundle.ts"
import { eventually } from "../../support/Eventually.ts"
import * as Raw from "../../support/Raw.ts"
import * as Serving from "../../support/Serving.ts"

const program = bundle("../layers/server/PipeliningProgram.ts")
const Announced = Schema.Struct({ port: Schema.Number })
const Memory = Schema.Struct({ rss: Schema.Number, heapUsed: Schema.Number, external: Schema.Number })

/** The program under a heap of 128 MiB. */
const start = Effect.gen(function* () {
  const execArgv = ["--max-old-space-size=128"]
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => fork(program, { execArgv, stdio: ["ignore", "ignore", "ignore", "ipc"] })),
    (started) => Effect.sync(() => started.kill("SIGKILL"))
  )
  const message = yield* Effect.async<unknown>((resume) => {
    child.once("message", (sent) => resume(Effect.succeed(sent)))
  })
  return { ...(yield* Schema.decodeUnknown(Announced)(message)), child }
})

/** A connection that writes requests as long as they are taken, and reads nothing. */
const flood = (port: number, path: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const burst = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(30)
      const socket = connect(port, "127.0.0.1")
      let written = 0
      const write = () => {
        while (written < 2 * 1024 * 1024 && !socket.destroyed) {
          written += burst.length
          if (!socket.write(burst)) return
        }
      }
      socket.pause()
      socket
        .on("connect", write)
        .on("drain", write)
        .on("error", () => undefined)
      return socket
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

describe("A client that sends and does not read", () => {
  it.scopedLive(
    "takes no more memory than the heap has, on 100 connections, and others are served",
    () =>
      Effect.gen(function* () {
        const { child, port } = yield* start
        const { get } = TestClient.make(`http://127.0.0.1:${port}`)
        for (const path of ["/page", "/slow"]) {
          yield* Effect.forEach(Array.from({ length: 100 }), () => flood(port, path), { discard: true })
          for (let round = 0; round < 10; round++) expect((yield* get(path)).body).toHaveLength(64 * 1024)
        }
        const memory = yield* Schema.decodeUnknown(Memory)((yield* get("/memory")).json)
        expect(memory.heapUsed + memory.external).toBeLessThan(200 * 1024 * 1024)
        expect(child.exitCode ?? child.signalCode).toBeNull()
      }),
    240_000
  )

  it.scopedLive("has a bounded number of requests waiting: with one more the connection is cut", () =>
    Effect.gen(function* () {
      let begun = 0
      const release = yield* Deferred.make<void>()
      const wait = Effect.sync(() => void begun++).pipe(
        Effect.zipRight(Deferred.await(release)),
        Effect.as(Respond.text("late"))
      )
      const context = yield* Layer.build(Serving.layer([HttpLayerRouter.route("GET", "/wait", wait)], { pipelined: 8 }))
      const { port } = yield* Effect.provide(ServerAddress, context)
      const request = "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n"
      expect(yield* Raw.exchange(port, request.repeat(10))).toBe("")
      expect(begun).toBe(1)
      const last = "GET /wait HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
      const nine = yield* Effect.fork(Raw.exchange(port, request.repeat(8) + last))
      yield* eventually(
        Effect.sync(() => begun),
        (count) => count === 2
      )
      yield* Deferred.succeed(release, undefined)
      expect((yield* nine).match(/late/g)).toHaveLength(9)
      expect(begun).toBe(10)
    })
  )

  it.scopedLive("gets nothing after a response that closes the connection, and nothing more is begun", () =>
    Effect.gen(function* () {
      const begun: Array<string> = []
      const note = Effect.map(HttpLayerRouter.params, ({ name = "" }) => {
        begun.push(name)
        return Respond.text(name)
      })
      const context = yield* Layer.build(Serving.layer([HttpLayerRouter.route("GET", "/:name", note)]))
      const { port } = yield* Effect.provide(ServerAddress, context)
      const one = (name: string, ...more: ReadonlyArray<string>) =>
        `GET /${name} HTTP/1.1\r\n${["Host: a", ...more].join("\r\n")}\r\n\r\n`
      const received = yield* Raw.exchange(port, one("a") + one("b") + one("c", "Connection: close") + one("d"))
      expect(received.match(/\r\n\r\n[a-d]/g)?.join("")).toBe("\r\n\r\na\r\n\r\nb\r\n\r\nc")
      expect(begun).toEqual(["a", "b", "c"])
    })
  )

  it.scopedLive("gets the refusal of what is malformed after the responses before it", () =>
    Effect.gen(function* () {
      const slow = Effect.as(Effect.sleep("20 millis"), Respond.text("good"))
      const context = yield* Layer.build(Serving.layer([HttpLayerRouter.route("GET", "/a", slow)]))
      const { port } = yield* Effect.provide(ServerAddress, context)
      const good = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
      const bad = [
        "NONSENSE\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET /a HTTP/1.1\r\n\r\n",
        "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n"
      ]
      for (const bytes of bad) {
        const received = yield* Raw.exchange(port, good + good + bytes)
        const statuses = Array.from(received.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => status)
        expect(statuses, bytes).toEqual(["200", "200", expect.stringMatching(/^400|501$/)])
      }
    })
  )
})

import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { describe, expect, it, layer } from "@effect/vitest"
import { Deferred, Effect, Layer, Stream } from "effect"
import { connect } from "node:net"
import * as Respond from "../../../routes/http/Respond.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Serving from "../../support/Serving.ts"

/** Sends the text, ends its side of the connection as `nc -N` does, and gives everything that comes back. */
const sendAndEnd = (port: number, text: string, onData?: (received: string) => void): Effect.Effect<string> =>
  Effect.async((resume) => {
    let received = ""
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => socket.end(text))
    socket.setEncoding("latin1").on("data", (chunk) => {
      received += String(chunk)
      onData?.(received)
    })
    socket.on("error", () => undefined)
    socket.on("close", () => resume(Effect.succeed(received)))
    return Effect.sync(() => socket.destroy())
  })

const get = (path: string, version = "1.1", ...headers: ReadonlyArray<string>) =>
  `GET ${path} HTTP/${version}\r\n${["Host: localhost", ...headers].join("\r\n")}\r\n\r\n`

const two = Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ two: number }>`SELECT 1 + 1 AS two`).pipe(
  Effect.orDie,
  Effect.map(([row]) => ({ two: Number(row?.two) }))
)

const echo = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const text = yield* Effect.orDie(request.text)
  return Respond.json({ ...(yield* two), text })
})

const routes = [
  HttpLayerRouter.route(
    "GET",
    "/two",
    Effect.map(two, (value) => Respond.json(value))
  ),
  HttpLayerRouter.route("POST", "/echo", echo),
  HttpLayerRouter.route(
    "GET",
    "/stream",
    Effect.map(SqlClient.SqlClient, (sql) =>
      HttpServerResponse.stream(
        Stream.fromIterable(["a", "b", "c"]).pipe(
          Stream.tap(() => Effect.orDie(sql`SELECT 1`)),
          Stream.encodeText
        )
      )
    )
  )
]

const ok = /^HTTP\/1\.1 200 OK\r\n/

describeDatabases("A client that ends its side of the connection after its request", (database) => {
  layer(Serving.layer(routes).pipe(Layer.provideMerge(database.layer)), { excludeTestServices: true })((it) => {
    it.effect.each([
      ["HTTP/1.1", get("/two")],
      ["HTTP/1.1 with Connection: close", get("/two", "1.1", "Connection: close")],
      ["HTTP/1.0", get("/two", "1.0")],
      ["HTTP/1.0 with keep-alive", get("/two", "1.0", "Connection: keep-alive")]
    ] as const)("gets its response: %s", ([, text]) =>
      Effect.gen(function* () {
        const { port } = yield* ServerAddress
        const received = yield* sendAndEnd(port, text)
        expect(received).toMatch(ok)
        expect(received.endsWith('\r\n\r\n{"two":2}')).toBe(true)
      })
    )

    it.effect("gets the response to a body", () =>
      Effect.gen(function* () {
        const { port } = yield* ServerAddress
        const text = "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\ntea"
        const received = yield* sendAndEnd(port, text)
        expect(received).toMatch(ok)
        expect(received.endsWith('\r\n\r\n{"two":2,"text":"tea"}')).toBe(true)
      })
    )

    it.effect("gets the responses to all requests that it has sent", () =>
      Effect.gen(function* () {
        const { port } = yield* ServerAddress
        const received = yield* sendAndEnd(port, get("/two").repeat(3))
        expect(received.match(/HTTP\/1\.1 200 OK\r\n/g)).toHaveLength(3)
        expect(received.match(/\{"two":2\}/g)).toHaveLength(3)
      })
    )

    it.effect("gets a streamed response to its end", () =>
      Effect.gen(function* () {
        const { port } = yield* ServerAddress
        const received = yield* sendAndEnd(port, get("/stream"))
        expect(received).toMatch(ok)
        expect(received.endsWith("1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n")).toBe(true)
      })
    )
  })
})

describe("A half-closed connection", () => {
  it.scopedLive("gets the first bytes of its response at once, and the rest when it is there", () =>
    Effect.gen(function* () {
      const release = yield* Deferred.make<void>()
      const route = HttpLayerRouter.route("GET", "/", Effect.as(Deferred.await(release), Respond.text("tea")))
      const { port } = yield* Effect.provide(ServerAddress, yield* Layer.build(Serving.layer([route])))
      const parts: Array<string> = []
      const received = yield* sendAndEnd(port, get("/"), (so) => {
        parts.push(so)
        Deferred.unsafeDone(release, Effect.void)
      })
      expect(parts[0]).toBe("HTTP/1.1")
      expect(received).toMatch(ok)
      expect(received.toLowerCase()).toContain("\r\nconnection: close\r\n")
      expect(received.endsWith("\r\n\r\ntea")).toBe(true)
    })
  )

  it.scopedLive.each(["1.0", "1.1"])("whose client is gone ends its request: HTTP/%s", (version) =>
    Effect.gen(function* () {
      const entered = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      const wait = Deferred.succeed(entered, undefined).pipe(
        Effect.zipRight(Effect.never),
        Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
      )
      const route = HttpLayerRouter.route("GET", "/", wait)
      const { port } = yield* Effect.provide(ServerAddress, yield* Layer.build(Serving.layer([route])))
      const socket = connect(port, "127.0.0.1", () => socket.write(get("/", version)))
      yield* Deferred.await(entered)
      socket.destroy()
      yield* Deferred.await(interrupted)
    })
  )
})

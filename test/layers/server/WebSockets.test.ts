// The handshake and the sockets of a worker, over real connections: what is refused, what is bounded, and how they end.
import { describe, expect, it, layer } from "@effect/vitest"
import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Context, Effect, Exit, Layer, Scope, Stream } from "effect"
import { IncomingMessage } from "node:http"
import { connect, type Socket } from "node:net"
import * as WebSockets from "../../../routes/session/WebSockets.ts"
import { type Handled, RequestEvents } from "../../../src/observability/RequestEvents.ts"
import { SocketTotals } from "../../../layers/observability/internal/SocketCounters.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { eventually } from "../../support/Eventually.ts"
import * as Raw from "../../support/Raw.ts"
import * as Serving from "../../support/Serving.ts"
import * as WebSocketClient from "../../support/WebSocketClient.ts"

type Options = Parameters<typeof WebSockets.route>[0]

const echo = WebSockets.response((socket) =>
  Effect.flatMap(socket.writer, (write) => socket.runRaw((message) => write(message)))
)

const bare = Effect.gen(function* () {
  const { upgrade } = yield* HttpServerRequest.HttpServerRequest
  const socket = yield* upgrade
  const write = yield* socket.writer
  yield* Effect.catchTag(
    socket.run((bytes) => write(new TextDecoder().decode(bytes).toUpperCase())),
    "SocketError",
    () => Effect.void
  )
  return HttpServerResponse.empty()
})

const at = (path: `/${string}`, handler: typeof echo, options?: Options) =>
  WebSockets.route(options)(HttpLayerRouter.route("GET", path, handler))

const page = HttpLayerRouter.route("GET", "/page", HttpServerResponse.text("a page"))
// More than the operating system keeps for a client.
const chunk = new Uint8Array(65_536).fill(97)
const long = HttpLayerRouter.route(
  "GET",
  "/long",
  HttpServerResponse.stream(Stream.range(1, 300).pipe(Stream.map(() => chunk)))
)
const posted = HttpLayerRouter.route(
  "POST",
  "/posted",
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ text }) =>
    Effect.map(Effect.orDie(text), (body) => HttpServerResponse.text(body))
  )
)
const slow = at("/slow", Effect.zipRight(Effect.never, echo), { handshakeTimeout: "50 millis" })
const idle = WebSockets.route()(
  HttpLayerRouter.route(
    "GET",
    "/idle",
    WebSockets.response(() => Effect.void)
  )
)
const failing = WebSockets.route()(
  HttpLayerRouter.route(
    "GET",
    "/failing",
    WebSockets.response((socket) => socket.run(() => Effect.dieMessage("broken")))
  )
)
const bareRoute = WebSockets.route()(HttpLayerRouter.route("GET", "/bare", Effect.orDie(bare)))

const bareFailing = WebSockets.route()(
  HttpLayerRouter.route(
    "GET",
    "/bare-failing",
    Effect.gen(function* () {
      const { upgrade } = yield* HttpServerRequest.HttpServerRequest
      yield* (yield* upgrade).run(() => Effect.dieMessage("broken"))
      return HttpServerResponse.empty()
    }).pipe(Effect.orDie)
  )
)

const routes = [
  at("/echo", echo),
  at("/small", echo, { maxMessage: "1 KiB" }),
  at("/few", echo, { perClient: 2 }),
  at("/deflate", echo, { compression: true }),
  bareRoute,
  slow,
  idle,
  failing,
  page,
  long,
  posted
]

/** A masked frame; the mask is zero. */
const frame = (opcode: number, length: number, masked = true): Buffer =>
  Buffer.from([0x80 | opcode, (masked ? 0x80 : 0) | length, ...(masked ? [0, 0, 0, 0] : [])])

/** Shakes hands over a bare connection. */
const raw = (port: number, path: string) =>
  Effect.acquireRelease(
    Effect.async<{ readonly socket: Socket; readonly received: () => Buffer; readonly ended: Promise<void> }>(
      (resume) => {
        const socket = connect(port, "127.0.0.1", () => socket.write(WebSocketClient.handshake(path)))
        let bytes = Buffer.alloc(0)
        const ended = new Promise<void>((done) => socket.on("close", () => done()))
        socket
          .on("error", () => undefined)
          .on("data", (chunk) => {
            bytes = Buffer.concat([bytes, chunk])
            const end = bytes.indexOf("\r\n\r\n")
            if (end !== -1) resume(Effect.succeed({ socket, ended, received: () => bytes.subarray(end + 4) }))
          })
      }
    ),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )

layer(Serving.layer(routes))("The WebSockets of a server", (it) => {
  it.scoped("echo text and bytes, with `WebSockets.response` and with `HttpServerRequest.upgrade`", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const client = yield* WebSocketClient.open(`${url}/echo`)
      expect(client.status).toBe(101)
      expect(client.headers["x-request-id"]).toMatch(/./)
      expect(client.headers["sec-websocket-extensions"]).toBe(undefined)
      client.send("héllo")
      client.send(Buffer.from("bytes"))
      expect([yield* client.next, yield* client.next]).toEqual(["héllo", "binary bytes"])
      const other = yield* WebSocketClient.open(`${url}/bare`)
      other.send("loud")
      expect(yield* other.next).toBe("LOUD")
      client.socket.close(1000)
      expect(yield* client.closed).toEqual([1000, ""])
    })
  )

  it.scoped("compress only where the route says so", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const client = yield* WebSocketClient.open(`${url}/deflate`)
      expect(client.headers["sec-websocket-extensions"]).toContain("permessage-deflate")
      client.send("a".repeat(10_000))
      expect(yield* client.next).toHaveLength(10_000)
    })
  )

  it.effect.each([
    ["no handshake", Raw.request("GET /echo HTTP/1.1"), 426],
    ["another version", WebSocketClient.handshake("/echo").replace(": 13", ": 7"), 426],
    ["no key", WebSocketClient.handshake("/echo").replace(/Sec-WebSocket-Key.*\r\n/, ""), 426],
    ["a malformed list of protocols", WebSocketClient.handshake("/echo", ["Sec-WebSocket-Protocol: a,,b"]), 426],
    ["HTTP/1.0", WebSocketClient.handshake("/echo").replace("HTTP/1.1", "HTTP/1.0"), 426],
    ["a handshake on a page", WebSocketClient.handshake("/page", ["Connection: close"]), 200],
    ["a handshake on no route", WebSocketClient.handshake("/none", ["Connection: close"]), 404],
    ["a handshake with another method", WebSocketClient.handshake("/echo").replace("GET", "POST"), 405],
    ["a handshake with a body", `${WebSocketClient.handshake("/echo", ["Content-Length: 2"])}ab`, 426],
    ["chunks", `${WebSocketClient.handshake("/echo", ["Transfer-Encoding: chunked"])}0\r\n\r\n`, 426],
    ["two hosts", WebSocketClient.handshake("/echo", ["Host: other"]), 400],
    ["data before the response", `${WebSocketClient.handshake("/echo")}\x81\x80\0\0\0\0`, 400],
    ["a request before the response", `${WebSocketClient.handshake("/echo")}${Raw.request("GET /page HTTP/1.1")}`, 400],
    ["a handler that takes too long", WebSocketClient.handshake("/slow"), 503],
    ["a handler that never runs its socket", WebSocketClient.handshake("/idle"), 500]
  ] as const)("%s: an ordinary response, and nothing after it", ([, bytes, status]) =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const received = yield* Raw.exchange(
        port,
        bytes.replace("Connection: Upgrade\r\n", "Connection: Upgrade, close\r\n")
      )
      expect(received.match(/HTTP\/1\.1 \d{3}/g)).toEqual([`HTTP/1.1 ${status}`])
      if (status === 426) expect(received.toLowerCase()).toContain("upgrade: websocket")
    })
  )

  it.effect("leave other upgrades to the request: HTTP/2 is ignored, and a body is read", () =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const lines = ["Connection: Upgrade, close", "Upgrade: h2c"]
      const head = `POST /posted HTTP/1.1\r\nHost: localhost\r\n${lines.join("\r\n")}\r\n`
      expect(yield* Raw.exchange(port, `${head}Content-Length: 4\r\n\r\nbody`)).toMatch(/^HTTP\/1\.1 200 [\s\S]*body$/)
    })
  )

  it.effect("answer a handshake behind a pipelined request as that request's successor, never as a socket", () =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const first = "GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n"
      const received = yield* Raw.exchange(port, first + WebSocketClient.handshake("/echo"))
      expect(received.match(/HTTP\/1\.1 \d{3}/g)?.[0]).toBe("HTTP/1.1 200")
      expect(received).not.toContain("HTTP/1.1 101")
    })
  )

  it.effect("let a response before them end, however long it is", () =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const first = "GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n"
      const received = yield* Raw.exchange(port, first + WebSocketClient.handshake("/echo"))
      expect(received.match(/a{1024}/g)).toHaveLength(300 * 64)
      expect(received).not.toContain("HTTP/1.1 101")
    })
  )

  it.scoped("come after ordinary requests of the same connection", () =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const received = yield* Effect.async<string>((resume) => {
        let text = ""
        const socket = connect(port, "127.0.0.1", () => socket.write("GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        socket.setEncoding("latin1").on("data", (chunk) => {
          text += String(chunk)
          if (text.endsWith("a page")) socket.write(WebSocketClient.handshake("/echo"))
          if (text.includes("HTTP/1.1 101")) resume(Effect.succeed(text))
        })
        return Effect.sync(() => socket.destroy())
      })
      expect(received).toContain("HTTP/1.1 200")
    })
  )

  it.scoped.each([
    ["an unmasked frame", "/echo", frame(1, 0, false), 1002],
    ["an unknown opcode", "/echo", frame(3, 0), 1002],
    ["a reserved bit", "/echo", Buffer.from([0xc1, 0x80, 0, 0, 0, 0]), 1002],
    ["a long control frame", "/echo", Buffer.from([0x89, 0xfe, 0, 200, 0, 0, 0, 0]), 1002],
    ["text that is not UTF-8", "/echo", Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]), 1007],
    ["a message that is too long", "/small", Buffer.from([0x82, 0xfe, 0x10, 0, 0, 0, 0, 0]), 1009],
    ["a length of 2⁶³", "/echo", Buffer.from([0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 1009]
  ] as const)("%s closes the socket with its code", ([, path, bytes, code]) =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const { ended, received, socket } = yield* raw(port, path)
      socket.write(bytes)
      yield* Effect.promise(() => ended)
      expect(received()[0]).toBe(0x88)
      expect(received().readUInt16BE(2)).toBe(code)
    })
  )

  it.scoped("fail alone: a handler that dies closes with 1011, the server goes on", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const client = yield* WebSocketClient.open(`${url}/failing`)
      client.send("x")
      expect((yield* client.closed)[0]).toBe(1011)
      expect((yield* WebSocketClient.open(`${url}/echo`)).status).toBe(101)
    })
  )

  it.scoped("are as many for one address as the route says", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const inner = yield* Scope.make()
      yield* Scope.extend(WebSocketClient.open(`${url}/few`), inner)
      yield* Scope.extend(WebSocketClient.open(`${url}/few`), inner)
      const third = yield* WebSocketClient.open(`${url}/few`)
      expect([third.status, third.headers["retry-after"]]).toEqual([429, "5"])
      yield* Scope.close(inner, Exit.void)
      yield* Effect.promise(async () => {
        while ((await Effect.runPromise(Effect.scoped(WebSocketClient.open(`${url}/few`)))).status !== 101) {
          await new Promise((done) => setTimeout(done, 10))
        }
      })
    })
  )
})

/** A socket that echoes what a client does not read, and the bytes of messages that wait in its handlers. */
interface Loaded {
  readonly socket: Socket
  handling: number
}

const loaded: Array<Loaded> = []
const most = { waiting: 0 }

// In handlers, in the buffers of the connections, and read from them in advance.
const measure = (): number => {
  const waiting = loaded.map(({ handling, socket }) => handling + socket.writableLength + socket.readableLength)
  most.waiting = Math.max(
    most.waiting,
    waiting.reduce((sum, one) => sum + one, 0)
  )
  return most.waiting
}

const load = Effect.gen(function* () {
  const { source } = yield* HttpServerRequest.HttpServerRequest
  if (!(source instanceof IncomingMessage)) return yield* Effect.dieMessage("no request of node")
  const one: Loaded = { socket: source.socket, handling: 0 }
  loaded.push(one)
  return yield* WebSockets.response((socket) =>
    Effect.flatMap(socket.writer, (write) =>
      socket.runRaw((message) => {
        one.handling += Buffer.byteLength(message)
        measure()
        return Effect.ensuring(
          write(message),
          Effect.sync(() => {
            one.handling -= Buffer.byteLength(message)
            measure()
          })
        )
      })
    )
  )
})

const serve = (options: Serving.Options, given: Options = {}) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
    const all = [
      at("/echo", echo, given),
      at("/flood", flood, given),
      at("/load", load),
      bareRoute,
      failing,
      bareFailing
    ]
    const context = yield* Layer.buildWithScope(Serving.layer(all, options), scope)
    return { ...Context.get(context, ServerAddress), context, stop: Scope.close(scope, Exit.void) }
  })

const written = { count: 0 }
const flood = WebSockets.response((socket) =>
  Effect.gen(function* () {
    const write = yield* socket.writer
    const sending = Effect.forever(
      Effect.zipRight(
        write("x".repeat(60_000)),
        Effect.sync(() => written.count++)
      )
    )
    yield* Effect.raceFirst(
      socket.run(() => undefined),
      sending
    )
  })
)

describe("A worker with WebSockets", () => {
  it.scoped("closes them with 1001 when it stops, without waiting for the deadline", () =>
    Effect.gen(function* () {
      // The deadline never passes: the clock of the test stands still.
      const { stop, url } = yield* serve({})
      const [first, second] = [yield* WebSocketClient.open(`${url}/echo`), yield* WebSocketClient.open(`${url}/bare`)]
      first.send("open")
      yield* first.next
      yield* stop
      expect((yield* first.closed)[0]).toBe(1001)
      expect((yield* second.closed)[0]).toBe(1001)
    })
  )

  it.scopedLive("stops in time although a client does not answer", () =>
    Effect.gen(function* () {
      const { port, stop } = yield* serve({ drain: "100 millis" })
      const { ended, socket } = yield* raw(port, "/echo")
      socket.removeAllListeners("data").pause()
      yield* stop
      socket.resume()
      yield* Effect.promise(() => ended)
    })
  )

  it.scopedLive("cuts a client that does not answer a ping, and keeps one that does", () =>
    Effect.gen(function* () {
      const { port, url } = yield* serve({}, { heartbeat: "50 millis" })
      const client = yield* WebSocketClient.open(`${url}/echo`)
      const { ended, received } = yield* raw(port, "/echo")
      yield* Effect.promise(() => ended)
      expect(received()[0]).toBe(0x89)
      client.send("still here")
      expect(yield* client.next).toBe("still here")
    })
  )

  it.scopedLive("writes no more than the buffer for a client that does not read, and then cuts it", () =>
    Effect.gen(function* () {
      const { context, port } = yield* serve({ writeTimeout: "300 millis" }, { sendBuffer: "64 KiB" })
      const { socket } = yield* raw(port, "/flood")
      socket.pause()
      const { webSockets } = Context.get(context, SocketTotals)
      yield* eventually(Effect.sync(webSockets), (open) => open === 0)
      // What the operating system buffers is beyond the server: some megabytes.
      expect(written.count * 60_000).toBeLessThan(32 * 1024 ** 2)
    })
  )

  it.scopedLive("keeps a bounded number of bytes for 20 clients that send and never read", () =>
    Effect.gen(function* () {
      const { port, url } = yield* serve({})
      const size = 60_000
      // The length in two bytes, and a mask of zeros.
      const head = Buffer.from([0x82, 0x80 | 126, size >> 8, size & 0xff, 0, 0, 0, 0])
      const message = Buffer.concat([head, Buffer.alloc(size)])
      for (let count = 0; count < 20; count++) {
        const { socket } = yield* raw(port, "/load")
        socket.removeAllListeners("data").pause()
        // Up to 60 MB each, as fast as the server takes them.
        let left = 1000
        const send = (): void => {
          while (left-- > 0) if (!socket.write(message)) return
        }
        socket.on("drain", send)
        send()
      }
      // Each waits for its reader: its answers fill the connection, and its messages the handlers.
      yield* eventually(
        Effect.sync(() => loaded.filter(({ handling, socket }) => handling > 0 && socket.writableLength > 0).length),
        (stalled) => stalled === 20
      )
      // What does not wait would go on in each of them.
      yield* Effect.replicateEffect(
        Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void))),
        100
      )
      // `sendBuffer` twice, for what is handled and what is written, one message beyond each, and what is read in advance.
      expect(measure()).toBeLessThan(20 * (2 * 1024 ** 2 + 4 * size))
      const other = yield* WebSocketClient.open(`${url}/echo`)
      other.send("here")
      expect(yield* other.next).toBe("here")
    })
  )

  it.scopedLive("takes as many as it may have streams, and counts them", () =>
    Effect.gen(function* () {
      const { context, url } = yield* serve({ streams: 1 })
      const { webSockets } = Context.get(context, SocketTotals)
      const client = yield* WebSocketClient.open(`${url}/bare`)
      expect([client.status, webSockets()]).toEqual([101, 1])
      expect((yield* WebSocketClient.open(`${url}/bare`)).status).toBe(503)
      client.socket.close()
      yield* eventually(Effect.sync(webSockets), (open) => open === 0)
      expect((yield* WebSocketClient.open(`${url}/echo`)).status).toBe(101)
    })
  )

  it.scopedLive("tells of the handshake as one request with status 101, when it is done", () =>
    Effect.gen(function* () {
      const { context, url } = yield* serve({})
      const statuses: Array<unknown> = []
      const events = Context.get(context, RequestEvents)
      yield* events.listen({ handled: (event) => void statuses.push(event) })
      const client = yield* WebSocketClient.open(`${url}/echo`)
      expect(statuses).toMatchObject([{ status: 101, route: "/echo", aborted: false }])
      client.socket.close()
      yield* client.closed
      expect(statuses).toHaveLength(1)
    })
  )

  it.scopedLive("tells of the end of a socket: how long it lasted, and whether its handler died", () =>
    Effect.gen(function* () {
      const { context, url } = yield* serve({})
      const ends: Array<Handled> = []
      const events = Context.get(context, RequestEvents)
      yield* events.listen({ closed: (event) => void ends.push(event) })
      const after = (count: number) =>
        eventually(
          Effect.sync(() => ends.length),
          (length) => length === count
        )
      const client = yield* WebSocketClient.open(`${url}/echo`)
      client.socket.close()
      yield* after(1)
      for (const path of ["/failing", "/bare-failing"]) {
        const dying = yield* WebSocketClient.open(`${url}${path}`)
        dying.send("die")
        expect((yield* dying.closed)[0]).toBe(1011)
      }
      yield* after(3)
      expect(ends).toMatchObject([
        { status: 101, route: "/echo", failed: false, aborted: false },
        { status: 101, route: "/failing", failed: true },
        { status: 101, route: "/bare-failing", failed: true }
      ])
      for (const { duration, lasted = 0 } of ends) expect(lasted).toBeGreaterThan(duration)
    })
  )
})

// What a client could make grow, over real sockets: messages in progress, and bytes that it does not read.
import { expect, layer } from "@effect/vitest"
import { HttpLayerRouter } from "@effect/platform"
import { Deferred, Effect, Fiber } from "effect"
import { connect } from "node:net"
import * as WebSockets from "../../../routes/session/WebSockets.ts"
import { SocketTotals } from "../../../layers/observability/internal/SocketCounters.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { eventually } from "../../support/Eventually.ts"
import * as Serving from "../../support/Serving.ts"
import * as WebSocketClient from "../../support/WebSocketClient.ts"

const state = { running: 0, most: 0 }
const gate = Deferred.unsafeMake<void>(Effect.runSync(Effect.fiberId))

/** Waits at the gate with each message, then says it. */
const gated = WebSockets.response((socket) =>
  Effect.flatMap(socket.writer, (write) =>
    socket.runRaw((message) =>
      Effect.gen(function* () {
        state.most = Math.max(state.most, ++state.running)
        yield* Deferred.await(gate)
        state.running--
        yield* write(message)
      })
    )
  )
)

const held = { bytes: 0, most: 0 }
const heavyGate = Deferred.unsafeMake<void>(Effect.runSync(Effect.fiberId))

/** The same, and counts the bytes. */
const heavy = WebSockets.response((socket) =>
  Effect.flatMap(socket.writer, (write) =>
    socket.runRaw((message) =>
      Effect.gen(function* () {
        held.most = Math.max(held.most, (held.bytes += message.length))
        yield* Deferred.await(heavyGate)
        held.bytes -= message.length
        yield* write(message)
      })
    )
  )
)

const silent = WebSockets.response((socket) => socket.run(() => undefined))

const long = "x".repeat(100_000)

/** Sends a message of 100 kB three times. */
const talkative = WebSockets.response((socket) =>
  Effect.flatMap(socket.writer, (write) =>
    Effect.zipRight(
      socket.runRaw(() => undefined),
      Effect.replicateEffect(write(long), 3),
      { concurrent: true }
    )
  )
)

const huge = "x".repeat(16 * 1024 * 1024)
const begun = Deferred.unsafeMake<void>(Effect.runSync(Effect.fiberId))

/** Sends 16 MiB for each message, more than the buffers of a connection hold. */
const generous = WebSockets.response((socket) =>
  Effect.flatMap(socket.writer, (write) =>
    socket.runRaw(() => Effect.zipRight(write(huge), Deferred.succeed(begun, undefined)))
  )
)

const routes = [
  WebSockets.route({ concurrency: 4 })(HttpLayerRouter.route("GET", "/gated", gated)),
  WebSockets.route({ sendBuffer: "64 KiB" })(HttpLayerRouter.route("GET", "/heavy", heavy)),
  WebSockets.route({ sendBuffer: "16 KiB", heartbeat: "100 millis" })(HttpLayerRouter.route("GET", "/silent", silent)),
  WebSockets.route({ sendBuffer: "16 KiB" })(HttpLayerRouter.route("GET", "/generous", generous)),
  WebSockets.route({ sendBuffer: "16 KiB", compression: true })(HttpLayerRouter.route("GET", "/talkative", talkative))
]

layer(Serving.layer(routes), { excludeTestServices: true })("A watched socket", (it) => {
  it.scoped("handles as many messages at once as it may, and all of them in their order", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const client = yield* WebSocketClient.open(`${url}/gated`)
      const messages = Array.from({ length: 200 }, (_, at) => String(at))
      for (const message of messages) client.send(message)
      yield* eventually(
        Effect.sync(() => state.running),
        (running) => running === 4
      )
      yield* Deferred.succeed(gate, undefined)
      expect(yield* Effect.forEach(messages, () => client.next)).toEqual(messages)
      expect(state.most).toBe(4)
    })
  )

  it.scoped("leaves further messages unread while those that are handled are long", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const client = yield* WebSocketClient.open(`${url}/heavy`)
      const messages = Array.from({ length: 40 }, (_, at) => String(at).padEnd(40 * 1024, "."))
      for (const message of messages) client.send(message)
      yield* eventually(
        Effect.sync(() => held.bytes),
        (bytes) => bytes >= 64 * 1024
      )
      yield* Deferred.succeed(heavyGate, undefined)
      expect(yield* Effect.forEach(messages, () => client.next)).toEqual(messages)
      // Two messages, and what was read with them: of 40, a handler may have 16.
      expect(held.most).toBeLessThan(200 * 1024)
    })
  )

  it.scoped("sends on when a message that was longer than may wait has been compressed", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const client = yield* WebSocketClient.open(`${url}/talkative`)
      expect(client.socket.extensions).toBe("permessage-deflate")
      const messages = [yield* client.next, yield* client.next, yield* client.next]
      expect(messages.map((message) => message === long)).toEqual([true, true, true])
    })
  )

  it.scoped("answers a ping of a client that has much to read, when it has read it", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const client = yield* WebSocketClient.open(`${url}/generous`)
      const pong = yield* Effect.fork(
        Effect.async<string>((resume) => {
          client.socket.once("pong", (data) => resume(Effect.succeed(String(data))))
        })
      )
      client.socket.pause()
      client.send("more")
      yield* Deferred.await(begun)
      client.socket.ping("first")
      client.socket.ping("second")
      client.socket.resume()
      expect((yield* client.next)?.length).toBe(huge.length)
      expect(yield* Fiber.join(pong)).toBe("second")
    })
  )

  it.scoped("is cut when it sends pings and reads no answer", () =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const { webSockets } = yield* SocketTotals
      const ping = Buffer.concat([Buffer.from([0x89, 0xfd, 0, 0, 0, 0]), Buffer.alloc(125)])
      const flood = Buffer.concat(Array.from({ length: 500 }, () => ping))
      yield* Effect.async<void>((resume) => {
        const socket = connect(port, "127.0.0.1", () => socket.write(WebSocketClient.handshake("/silent")))
        const write = () => {
          while (!socket.destroyed && socket.write(flood));
        }
        socket.once("data", () => {
          socket.pause()
          write()
        })
        socket.on("drain", write)
        // The server has cut the connection: writing to it fails.
        socket.on("error", () => resume(Effect.void)).on("close", () => resume(Effect.void))
        return Effect.sync(() => socket.destroy())
      })
      yield* eventually(Effect.sync(webSockets), (open) => open === 0)
    })
  )
})

// A WebSocket of the `ws` package as @effect/platform's `Socket`, with a bound on everything that a client could make grow:
// messages in progress, bytes that it does not read, and the time for which it says nothing.
import { Socket } from "@effect/platform"
import { Effect, Exit, type Scope } from "effect"
import type { Duplex } from "node:stream"
import type { WebSocket } from "ws"
import type { Limits } from "../../../src/http/internal/WebSocket.ts"

/** How long a client has to answer a close before it is cut, in milliseconds. */
const closeTimeout = 2000

/** A WebSocket whose handshake is done, and the connection below it. */
export interface Accepted {
  readonly webSocket: WebSocket
  readonly connection: Duplex
}

/** Closes the WebSocket; a client that does not answer is cut. */
export const close = (webSocket: WebSocket, code: number): void => {
  if (webSocket.readyState === webSocket.CLOSED) return
  webSocket.close(code)
  // A paused one would never read the answer.
  webSocket.resume()
  const timer = setTimeout(() => webSocket.terminate(), closeTimeout).unref()
  webSocket.once("close", () => clearTimeout(timer))
}

// A message that is longer than the buffer is sent alone.
const isFull = ({ webSocket }: Accepted, { sendBuffer }: Limits, size = 0): boolean =>
  webSocket.readyState === webSocket.OPEN &&
  webSocket.bufferedAmount > 0 &&
  webSocket.bufferedAmount + size > sendBuffer

/** Cuts a client that does not answer pings or does not read. Its own pings are answered as far as it reads the answers. */
export const watch = (accepted: Accepted, limits: Limits): void => {
  const { connection, webSocket } = accepted
  let isAlive = true
  // The latest ping of a client that has too much to read: it is the only one that needs an answer (RFC 6455, 5.5.3).
  let ping: Buffer | undefined = undefined
  const answer = () => {
    if (ping === undefined || isFull(accepted, limits)) return
    webSocket.pong(ping)
    ping = undefined
    isAlive = true
  }
  const answered = () => {
    isAlive = true
  }
  const timer = setInterval(() => {
    // Its answers wait unread behind messages that are still being handled.
    if (webSocket.isPaused) return
    answer()
    if (!isAlive) return webSocket.terminate()
    isAlive = false
    if (webSocket.readyState === webSocket.OPEN) webSocket.ping()
  }, limits.heartbeat).unref()
  webSocket.on("pong", answered).on("message", answered)
  webSocket.on("ping", (data) => {
    ping = data
    answer()
  })
  connection.on("drain", answer)
  webSocket.on("error", () => undefined)
  webSocket.once("close", () => clearInterval(timer))
  // Armed by `WebServer`: the client has read nothing of what is pending.
  connection.on("timeout", () => close(webSocket, 1013))
}

// No event says that a message has been compressed: it waits in `ws`, and what is sent of it may never fill the connection.
const pollInterval = 10

const drained = (accepted: Accepted, limits: Limits, size: number): Effect.Effect<void> =>
  Effect.async((resume) => {
    const { connection, webSocket } = accepted
    const done = () => {
      clearInterval(timer)
      connection.off("drain", look)
      webSocket.off("close", look)
    }
    const look = () => {
      if (isFull(accepted, limits, size)) return
      done()
      resume(Effect.void)
    }
    // One that closes has no room either: its writer waits for the end.
    const timer = setInterval(() => webSocket.readyState === webSocket.OPEN && look(), pollInterval)
    connection.on("drain", look)
    webSocket.on("close", look)
    look()
    return Effect.sync(done)
  })

const codeOf = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit)) return 1000
  return Exit.isInterrupted(exit) ? 1001 : 1011
}

/** The socket of this handshake, which is performed when the socket first runs. */
export const make = <E extends Socket.SocketError>(
  accept: Effect.Effect<Accepted, E>,
  limits: Limits
): Effect.Effect<Socket.Socket> =>
  Effect.gen(function* () {
    const writing = yield* Effect.makeSemaphore(1)
    let current: Accepted | undefined
    const acquire: Effect.Effect<globalThis.WebSocket, E, Scope.Scope> = Effect.map(
      Effect.acquireRelease(accept, ({ webSocket }, exit) => Effect.sync(() => close(webSocket, codeOf(exit)))),
      (accepted) => {
        current = accepted
        // A boundary: `ws` implements the events and methods of the browser's `WebSocket` that Effect uses.
        return accepted.webSocket as unknown as globalThis.WebSocket
      }
    )
    const inner = yield* Socket.fromWebSocket(acquire)

    // A chunk that is already read can hold more messages than may be handled at once: the rest of them waits.
    const handling = yield* Effect.makeSemaphore(limits.concurrency)
    const bounded = <A, E2, R>(handler: (data: string | Uint8Array) => Effect.Effect<A, E2, R> | void) => {
      let running = 0
      // A client that sends and never reads: its messages wait in the handlers that answer them.
      let bytes = 0
      const isBusy = () => running >= limits.concurrency || bytes >= limits.sendBuffer
      return (data: string | Uint8Array) => {
        const handled = handler(data)
        if (handled === undefined) return
        const size = Buffer.byteLength(data)
        running++
        bytes += size
        if (isBusy()) current?.webSocket.pause()
        const ended = Effect.sync(() => {
          running--
          bytes -= size
          if (!isBusy()) current?.webSocket.resume()
        })
        return Effect.ensuring(handling.withPermits(1)(handled), ended)
      }
    }

    const runRaw: Socket.Socket["runRaw"] = (handler, options) => {
      // It is accepted paused: a message that came before there is a listener would be lost.
      const listening = Effect.sync(() => current?.webSocket.resume())
      const onOpen = Effect.zipRight(listening, options?.onOpen ?? Effect.void)
      return inner.runRaw(bounded(handler), { onOpen })
    }
    const encoder = new TextEncoder()
    const run: Socket.Socket["run"] = (handler, options) =>
      runRaw((data) => handler(typeof data === "string" ? encoder.encode(data) : data), options)

    const room = (size: number) =>
      Effect.suspend(() =>
        current === undefined || !isFull(current, limits, size) ? Effect.void : drained(current, limits, size)
      )
    const writer = Effect.map(
      inner.writer,
      (write) => (chunk: Uint8Array | string | Socket.CloseEvent) =>
        Socket.isCloseEvent(chunk)
          ? write(chunk)
          : writing.withPermits(1)(Effect.zipRight(room(Buffer.byteLength(chunk)), write(chunk)))
    )
    return Socket.Socket.of({ [Socket.TypeId]: Socket.TypeId, run, runRaw, writer })
  })

// Disconnects clients that do not read their response. Costs a request nothing: sockets are checked once a second.
import { Effect, type Scope } from "effect"
import type { Socket } from "node:net"

const check = (sockets: ReadonlySet<Socket>, timeout: number): void => {
  for (const socket of sockets) {
    // Node's own timer sees progress inside a single large write, which no public property shows. When it runs out,
    // node:http destroys the socket.
    if (socket.writableLength > 0) {
      if (socket.timeout !== timeout) socket.setTimeout(timeout)
    } else if (socket.timeout === timeout) socket.setTimeout(0)
  }
}

/** From now on a client must read some of the pending bytes within this many milliseconds. */
export const watch = (sockets: ReadonlySet<Socket>, timeout: number): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => setInterval(() => check(sockets, timeout), Math.min(1000, timeout / 2)).unref()),
    (timer) => Effect.sync(() => clearInterval(timer))
  )

// Cuts clients that do not read what they were sent. Costs a request nothing: the sockets are looked at once a second.
import { Effect, type Scope } from "effect"
import type { Socket } from "node:net"

const look = (sockets: ReadonlySet<Socket>, patience: number): void => {
  for (const socket of sockets) {
    // Node's own timer sees progress inside a single large write, which no public property shows. When it runs out,
    // node:http destroys the socket.
    if (socket.writableLength > 0) {
      if (socket.timeout !== patience) socket.setTimeout(patience)
    } else if (socket.timeout === patience) socket.setTimeout(0)
  }
}

/** From now on a socket that holds unread bytes must take some of them within so many milliseconds. */
export const watch = (sockets: ReadonlySet<Socket>, patience: number): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => setInterval(() => look(sockets, patience), Math.min(1000, patience / 2)).unref()),
    (timer) => Effect.sync(() => clearInterval(timer))
  )

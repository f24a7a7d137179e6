// The open connections of a worker, and the bytes that it has read and written.
import { Context, Effect, Layer } from "effect"
import type { Socket } from "node:net"
import type { WebSocket } from "ws"
import { SocketTotals } from "../observability/internal/SocketCounters.ts"

/**
 * The registry of open connections, which the server fills.
 *
 * @example
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { Sockets } from "effect-framework/layers/server"
 * import { Gauge, Observability } from "effect-framework/observability"
 *
 * export const connections = Layer.effectDiscard(
 *   Effect.gen(function* () {
 *     const { metrics } = yield* Observability.Observability
 *     const { open } = yield* Sockets.Sockets
 *     const gauge = yield* Gauge.observable("http_connections_open", () => open.size, { help: "Open connections" })
 *     yield* metrics.push(gauge)
 *   })
 * )
 * ```
 */
export class Sockets extends Context.Tag("effect-framework/server/Sockets")<
  Sockets,
  {
    readonly track: (socket: Socket) => void
    readonly open: ReadonlySet<Socket>
    /** Those that are a WebSocket. */
    readonly webSockets: Set<WebSocket>
  }
>() {}

const make = () => {
  const open = new Set<Socket>()
  const webSockets = new Set<WebSocket>()
  let read = 0
  let written = 0
  const track = (socket: Socket) => {
    open.add(socket)
    socket.once("close", () => {
      open.delete(socket)
      read += socket.bytesRead
      written += socket.bytesWritten
    })
  }
  const total = (closed: () => number, of: (socket: Socket) => number) => () => {
    let sum = closed()
    for (const socket of open) sum += of(socket)
    return sum
  }
  const totals = SocketTotals.of({
    read: total(
      () => read,
      (socket) => socket.bytesRead
    ),
    written: total(
      () => written,
      (socket) => socket.bytesWritten
    ),
    webSockets: () => webSockets.size
  })
  return Context.make(Sockets, { track, open, webSockets }).pipe(Context.add(SocketTotals, totals))
}

/** The sockets of this worker, and their byte totals for the metrics. */
export const layer: Layer.Layer<Sockets | SocketTotals> = Layer.effectContext(Effect.sync(make))

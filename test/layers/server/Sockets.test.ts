import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { EventEmitter } from "node:events"
import { Socket } from "node:net"
import { layer, Sockets } from "../../../layers/server/Sockets.ts"
import { SocketTotals } from "../../../layers/observability/internal/SocketCounters.ts"

/** A socket with these counts, which closes when it is told to. */
const socketOf = (bytesRead: number, bytesWritten: number): Socket => {
  const socket = new Socket()
  Object.defineProperty(socket, "bytesRead", { get: () => bytesRead })
  Object.defineProperty(socket, "bytesWritten", { get: () => bytesWritten })
  return socket
}

it.effect("counts the bytes of open and of closed connections, each once", () =>
  Effect.gen(function* () {
    const { open, track } = yield* Sockets
    const { read, written } = yield* SocketTotals
    const [first, second] = [socketOf(10, 100), socketOf(5, 50)]
    track(first)
    track(second)
    expect([open.size, read(), written()]).toEqual([2, 15, 150])
    EventEmitter.prototype.emit.call(first, "close")
    expect([...open]).toEqual([second])
    expect([read(), written()]).toEqual([15, 150])
  }).pipe(Effect.provide(layer))
)

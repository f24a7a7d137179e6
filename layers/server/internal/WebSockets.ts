// The WebSockets of a worker: which requests become one, and the handshake.
import type { Socket } from "@effect/platform"
import { Effect } from "effect"
import type * as Http from "node:http"
import type { Duplex } from "node:stream"
import type * as Ws from "ws"
import type { State } from "../../../src/http/internal/RequestState.ts"
import { TooManyStreams } from "../../../src/http/internal/OpenStreams.ts"
import { type Limits, UpgradeRequired } from "../../../src/http/internal/WebSocket.ts"
import * as Closings from "./Closings.ts"
import type { StreamPlaces } from "./StreamPlaces.ts"
import * as WatchedSocket from "./WatchedSocket.ts"

/** A request that asks for a WebSocket, on a route that has them. */
interface Handshake {
  readonly req: Http.IncomingMessage
  readonly connection: Duplex
  readonly state: State
  readonly limits: Limits
  /** The header lines that the 101 carries: name, value, name, value. */
  readonly head: () => ReadonlyArray<string>
  /** Called when the 101 has been sent. */
  readonly accepted: () => void
}

export interface WebSockets {
  /** The socket of this handshake, which is performed when it first runs. */
  readonly socketOf: (handshake: Handshake) => Effect.Effect<Socket.Socket>
  /** Closes all with this code, and lets no more open. */
  readonly closeAll: (code: number) => void
}

// Nothing else of the response belongs on a connection that is no HTTP from here on.
const kept: ReadonlySet<string> = new Set(["set-cookie", "x-request-id"])

const lines = (head: ReadonlyArray<string>): ReadonlyArray<string> =>
  head.flatMap((name, at) => (at % 2 === 0 && kept.has(name) ? [`${name}: ${head[at + 1] ?? ""}`] : []))

/** What the server gives: the package, the places of open sockets, and the set that holds the open ones. */
interface Options {
  readonly ws: Pick<typeof Ws, "WebSocket" | "WebSocketServer">
  readonly places: Pick<StreamPlaces, "take">
  readonly open: Set<Ws.WebSocket>
}

export const make = ({ open: all, places, ws: { WebSocket, WebSocketServer } }: Options): WebSockets => {
  let isClosing = false
  const servers = new Map<Limits, Ws.WebSocketServer>()
  const handshakes = new WeakMap<Http.IncomingMessage, { readonly head: ReadonlyArray<string>; refused: () => void }>()

  const closed = Closings.make((end: () => void) => end())

  /** One that tells of its end in turns with others that close at the same time. */
  class PacedWebSocket extends WebSocket {
    override emit(event: string | symbol, ...details: ReadonlyArray<unknown>): boolean {
      if (event !== "close") return super.emit(event, ...details)
      closed(() => super.emit(event, ...details))
      return true
    }
  }

  const serverOf = (limits: Limits): Ws.WebSocketServer => {
    const known = servers.get(limits)
    if (known !== undefined) return known
    const server = new WebSocketServer({
      noServer: true,
      WebSocket: PacedWebSocket,
      clientTracking: false,
      autoPong: false,
      maxPayload: limits.maxMessage,
      perMessageDeflate: limits.compression
    })
    server.on("headers", (headers, req) => headers.push(...lines(handshakes.get(req)?.head ?? [])))
    // A header that is malformed: with this listener `ws` leaves the response to us.
    server.on("wsClientError", (_, __, req) => handshakes.get(req)?.refused())
    servers.set(limits, server)
    return server
  }

  const accept = (handshake: Handshake): Effect.Effect<WatchedSocket.Accepted> =>
    Effect.async((resume) => {
      const { accepted, connection, head, limits, req, state } = handshake
      const release = isClosing ? new TooManyStreams() : places.take(state, limits.streams)
      if (typeof release !== "function") return resume(Effect.die(release))
      let isOpen = false
      handshakes.set(req, { head: head(), refused: () => resume(Effect.die(new UpgradeRequired())) })
      serverOf(limits).handleUpgrade(req, connection, Buffer.alloc(0), (webSocket) => {
        isOpen = true
        accepted()
        webSocket.pause()
        all.add(webSocket)
        webSocket.once("close", () => {
          all.delete(webSocket)
          release()
        })
        const opened = { webSocket, connection }
        WatchedSocket.watch(opened, limits)
        resume(Effect.succeed(opened))
      })
      // Refused, or the client has gone meanwhile.
      if (!isOpen) release()
    })

  return {
    socketOf: (handshake) => WatchedSocket.make(accept(handshake), handshake.limits),
    closeAll: (code) => {
      isClosing = true
      all.forEach((webSocket) => WatchedSocket.close(webSocket, code))
    }
  }
}

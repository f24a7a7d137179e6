// The WebSockets of a worker: which requests become one, the handshake, and how many an account or an address may have.
import type { Socket } from "@effect/platform"
import { Effect } from "effect"
import type * as Http from "node:http"
import type { Duplex } from "node:stream"
import type * as Ws from "ws"
import * as ForwardedFor from "../../../src/session/internal/ForwardedFor.ts"
import type { State } from "../../../src/http/internal/RequestState.ts"
import { TooManyStreams } from "../../../src/http/internal/OpenStreams.ts"
import { type Limits, TooManyWebSockets, UpgradeRequired } from "../../../src/http/internal/WebSocket.ts"
import * as WatchedSocket from "./WatchedSocket.ts"

/** A request that asks for a WebSocket, on a route that has them. */
export interface Handshake {
  readonly req: Http.IncomingMessage
  readonly connection: Duplex
  readonly exchange: State
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

/** Counts by name; a name without any is forgotten. */
class Counts {
  readonly #counts = new Map<string, number>()

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }
  add(name: string, by: number): void {
    const count = this.of(name) + by
    if (count === 0) this.#counts.delete(name)
    else this.#counts.set(name, count)
  }
}

// Nothing else of the response belongs on a connection that is no HTTP from here on.
const kept: ReadonlySet<string> = new Set(["set-cookie", "x-request-id"])

const lines = (head: ReadonlyArray<string>): ReadonlyArray<string> =>
  head.flatMap((name, at) => (at % 2 === 0 && kept.has(name) ? [`${name}: ${head[at + 1] ?? ""}`] : []))

/** What the server gives: the package, how many sockets may be open, and the set that holds the open ones. */
interface Options {
  readonly ws: Pick<typeof Ws, "WebSocketServer">
  readonly limit: number
  readonly open: Set<Ws.WebSocket>
}

export const make = ({ limit: places, open: all, ws: { WebSocketServer } }: Options): WebSockets => {
  let isClosing = false
  const counts = new Counts()
  const servers = new Map<Limits, Ws.WebSocketServer>()
  const handshakes = new WeakMap<Http.IncomingMessage, { readonly head: ReadonlyArray<string>; refused: () => void }>()

  const serverOf = (limits: Limits): Ws.WebSocketServer => {
    const known = servers.get(limits)
    if (known !== undefined) return known
    const server = new WebSocketServer({
      noServer: true,
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

  const keysOf = ({ exchange, limits }: Handshake): ReadonlyArray<readonly [key: string, limit: number]> => {
    const client = [`address ${ForwardedFor.bucket(exchange.clientAddress)}`, limits.perClient] as const
    return exchange.account === undefined
      ? [client]
      : [client, [`account ${exchange.account}`, limits.perAccount] as const]
  }

  const accept = (handshake: Handshake): Effect.Effect<WatchedSocket.Accepted> =>
    Effect.async((resume) => {
      const { accepted, connection, head, limits, req } = handshake
      if (isClosing || all.size >= places) return resume(Effect.die(new TooManyStreams()))
      const keys = keysOf(handshake)
      if (keys.some(([key, limit]) => counts.of(key) >= limit)) return resume(Effect.die(new TooManyWebSockets()))
      handshakes.set(req, { head: head(), refused: () => resume(Effect.die(new UpgradeRequired())) })
      serverOf(limits).handleUpgrade(req, connection, Buffer.alloc(0), (webSocket) => {
        accepted()
        webSocket.pause()
        all.add(webSocket)
        for (const [key] of keys) counts.add(key, 1)
        webSocket.once("close", () => {
          all.delete(webSocket)
          for (const [key] of keys) counts.add(key, -1)
        })
        const opened = { webSocket, connection }
        WatchedSocket.watch(opened, limits)
        resume(Effect.succeed(opened))
      })
    })

  return {
    socketOf: (handshake) => WatchedSocket.make(accept(handshake), handshake.limits),
    closeAll: (code) => {
      isClosing = true
      all.forEach((webSocket) => WatchedSocket.close(webSocket, code))
    }
  }
}

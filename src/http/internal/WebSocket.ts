// WebSockets of a route: their limits, and why a handshake is refused. The server performs the handshake.
import { Duration, type Effect, Schema } from "effect"
import * as ErrorResponse from "./ErrorResponse.ts"
import * as OpenStreams from "./OpenStreams.ts"
import * as ByteSize from "./text/ByteSize.ts"

/** The limits of the WebSockets of a route; each has a default. */
export interface WebSocketOptions extends OpenStreams.StreamLimits {
  /** Other origins whose pages may connect with cookies, such as `https://shop.example`; by default only the program's own. */
  readonly origins?: ReadonlyArray<string>
  /** The longest message that is accepted; 1 MiB. A longer one closes the socket with 1009. */
  readonly maxMessage?: ByteSize.ByteSize
  /**
   * How much may wait for a client that reads slowly before writers wait for it, and how much of its messages may be handled
   * at once before further ones are left unread; 1 MiB. A single message may be longer.
   */
  readonly sendBuffer?: ByteSize.ByteSize
  /**
   * How often a ping is sent, and a guarded socket looks whether its session or API token lives; 15 seconds. A client that
   * has not answered by the next ping is cut.
   */
  readonly heartbeat?: Duration.DurationInput
  /** How long the guards and the handler may take to accept the handshake; 10 seconds, then it gets 503. */
  readonly handshakeTimeout?: Duration.DurationInput
  /** How many messages of a socket may be handled at once; 16. Further ones are not read yet. */
  readonly concurrency?: number
  /** Whether messages may be compressed (permessage-deflate), which costs memory and CPU; by default not. */
  readonly compression?: boolean
}

/** The options with their defaults, in bytes and milliseconds. */
export interface Limits {
  readonly origins: ReadonlySet<string>
  readonly maxMessage: number
  readonly sendBuffer: number
  readonly heartbeat: number
  readonly handshakeTimeout: number
  readonly streams: OpenStreams.StreamLimits
  readonly concurrency: number
  readonly compression: boolean
}

/** The limits that these options state. */
export const limitsOf = (options: WebSocketOptions): Limits => ({
  origins: new Set(options.origins),
  maxMessage: ByteSize.toBytes(options.maxMessage ?? "1 MiB"),
  sendBuffer: ByteSize.toBytes(options.sendBuffer ?? "1 MiB"),
  heartbeat: Duration.toMillis(options.heartbeat ?? "15 seconds"),
  handshakeTimeout: Duration.toMillis(options.handshakeTimeout ?? "10 seconds"),
  streams: { ...OpenStreams.defaultLimits, ...options },
  concurrency: options.concurrency ?? 16,
  compression: options.compression ?? false
})

type Head = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

// 16 bytes in base64.
const key = /^[A-Za-z0-9+/]{22}==$/

/** Whether these headers ask for a WebSocket of the version that RFC 6455 defines. */
export const isHandshake = (method: string | undefined, headers: Head): boolean =>
  method === "GET" &&
  String(headers["upgrade"]).toLowerCase() === "websocket" &&
  headers["sec-websocket-version"] === "13" &&
  key.test(String(headers["sec-websocket-key"]))

/** The body of a response that turns the connection into a WebSocket, and what then runs on it. */
export class Upgrade<Socket> {
  readonly run: (socket: Socket) => Effect.Effect<void, unknown>

  constructor(run: (socket: Socket) => Effect.Effect<void, unknown>) {
    this.run = run
  }
}

/** The route needs a WebSocket handshake: 426. */
export class UpgradeRequired extends Schema.TaggedError<UpgradeRequired>("effect-framework/http/UpgradeRequired")(
  "UpgradeRequired",
  {}
) {
  override get message() {
    return "The route needs a WebSocket handshake of version 13."
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(426, {
      headers: { connection: "upgrade, close", upgrade: "websocket", "sec-websocket-version": "13" }
    })
  }
}

/** A page of another origin has sent the handshake: 403. */
export class ForeignOrigin extends Schema.TaggedError<ForeignOrigin>("effect-framework/http/ForeignOrigin")(
  "ForeignOrigin",
  {}
) {
  override get message() {
    return "A WebSocket handshake with cookies must come from a page of this site."
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(403)
  }
}

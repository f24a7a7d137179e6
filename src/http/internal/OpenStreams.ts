// The responses of a worker that stay open: how many there may be, of whom, and when they have to end.
import { Context, type Effect, type Scope, Schema } from "effect"
import * as ErrorResponse from "./ErrorResponse.ts"
import type { State } from "./RequestState.ts"

/** All places are taken, or the server stops: 503. */
export class TooManyStreams extends Schema.TaggedError<TooManyStreams>("effect-framework/http/TooManyStreams")(
  "TooManyStreams",
  {}
) {
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(503, { retryAfter: ErrorResponse.retryAfter })
  }
}

/** The account or the address has as many streams open as it may: 429. */
export class StreamLimitReached extends Schema.TaggedError<StreamLimitReached>(
  "effect-framework/http/StreamLimitReached"
)("StreamLimitReached", {}) {
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(429, { retryAfter: ErrorResponse.retryAfter })
  }
}

/** How many event streams and WebSockets together one may have open on a worker. */
export interface StreamLimits {
  /** Of an account; 20. One more gets 429. */
  readonly perAccount?: number
  /** Of the clients of one address; 50. One more gets 429. */
  readonly perClient?: number
}

export const defaultLimits: Required<StreamLimits> = { perAccount: 20, perClient: 50 }

type Enter = (state: State, limits: StreamLimits) => Effect.Effect<void, never, Scope.Scope>

/** The places for responses that stay open. `WebServer` has them; on another server they are those of `Mount`. */
export class OpenStreams extends Context.Tag("effect-framework/http/OpenStreams")<
  OpenStreams,
  {
    /**
     * Takes a place for the events of this request until the scope closes; dies with `TooManyStreams` or `StreamLimitReached`
     * when there is none.
     */
    readonly enter: Enter
    /** The same for a WebSocket, unless the server itself takes its place at the handshake. */
    readonly enterSocket: Enter
    /** Runs this when the server begins to stop, unless the scope has closed before. */
    readonly onStop: (run: () => void) => Effect.Effect<void, never, Scope.Scope>
  }
>() {}

// The responses of a worker that stay open: how many there may be, and when they have to end.
import { Context, Effect, type Scope, Schema } from "effect"
import * as ErrorResponse from "./ErrorResponse.ts"

/** All places are taken, or the server stops: 503. */
export class TooManyStreams extends Schema.TaggedError<TooManyStreams>("effect-framework/http/TooManyStreams")(
  "TooManyStreams",
  {}
) {
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(503, { retryAfter: ErrorResponse.retryAfter })
  }
}

/** The places of this server. A server that is not ours, below a mounted app, counts and ends its connections itself. */
export class OpenStreams extends Context.Reference<OpenStreams>()("effect-framework/http/OpenStreams", {
  defaultValue: (): {
    /** Takes a place until the scope closes; dies with `TooManyStreams` when there is none. */
    readonly enter: Effect.Effect<void, never, Scope.Scope>
    /** Completes when the server begins to stop. */
    readonly stopped: Effect.Effect<void>
  } => ({ enter: Effect.void, stopped: Effect.never })
}) {}

// The responses of a worker that stay open: how many there may be, and when they have to end.
import { Context, type Effect, type Scope, Schema } from "effect"
import * as ErrorResponse from "../errors/ErrorResponse.ts"

/** All places are taken, or the server stops: 503. */
export class TooManyStreams extends Schema.TaggedError<TooManyStreams>("effect-framework/http/TooManyStreams")(
  "TooManyStreams",
  {}
) {
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(503, { retryAfter: ErrorResponse.retryAfter })
  }
}

/** Provided by the server to every request. */
export class OpenStreams extends Context.Tag("effect-framework/http/OpenStreams")<
  OpenStreams,
  {
    /** Takes a place until the scope closes; dies with `TooManyStreams` when there is none. */
    readonly enter: Effect.Effect<void, never, Scope.Scope>
    /** Completes when the server begins to stop. */
    readonly stopped: Effect.Effect<void>
  }
>() {}

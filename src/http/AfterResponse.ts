// Work that starts after the response is sent, so that timing does not reveal whether there was any.
import { Context, type Effect, type Scope } from "effect"
import type { RequestState } from "./internal/RequestState.ts"

export type { RequestState } from "./internal/RequestState.ts"

/** Runs work after the response; a server that stops waits for it. */
export class AfterResponse extends Context.Tag("effect-framework/http/AfterResponse")<
  AfterResponse,
  {
    /**
     * Starts the work once the response to this request has been sent. Its failures are reported and change nothing for
     * the client.
     */
    readonly run: <E, R>(work: Effect.Effect<void, E, R>) => Effect.Effect<void, never, R | RequestState | Scope.Scope>
  }
>() {}

// Work that begins when the answer is out: nobody can tell by the clock whether there was any, or wait for it in vain.
import { Context, type Effect, type Scope } from "effect"
import type { Exchange } from "./Exchange.ts"

/** Runs work after the answer; a server that stops waits for it. */
export class AfterResponse extends Context.Tag("effect-framework/http/AfterResponse")<
  AfterResponse,
  {
    /**
     * Begins the work once the answer to this request has been sent; a server that stops waits for it. What it fails
     * with is reported and changes nothing.
     */
    readonly run: <E, R>(work: Effect.Effect<void, E, R>) => Effect.Effect<void, never, R | Exchange | Scope.Scope>
  }
>() {}

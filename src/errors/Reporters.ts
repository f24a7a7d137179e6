// Who hears of an exception: a list of reporters, each told once about each throwable and request.
import { type Cause, Context, Effect, Layer, type Scope } from "effect"
import type { Throwable } from "./Throwable.ts"

/**
 * Where it happened, as plain data that can be copied, cloned and serialised. Never a query, and the pattern in place of
 * a path that has parameters.
 */
export interface ReportContext {
  readonly id?: string
  readonly method?: string
  readonly uri?: string
  readonly peer?: string
}

/** Values of the request that must not be seen wherever a text repeats them; collected when first asked for. */
export type Secrets = () => ReadonlyArray<string>

/**
 * Does its work at once, or gives an effect that does it. May fail, throw, hang or raise errors of its own: none of it
 * reaches the request or another reporter.
 */
export type Reporter = (
  throwable: Throwable,
  facts: ReportContext,
  secrets: Secrets
) => Effect.Effect<unknown, unknown> | void

/** The list of reporters; a slow or failing one harms neither the request nor the others. */
export class Reporters extends Context.Tag("effect-framework/errors/Reporters")<
  Reporters,
  {
    /** Adds a reporter for as long as the scope lives; `flush` waits for what it has taken but not yet delivered. */
    readonly push: (reporter: Reporter, flush?: Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
    /**
     * Tells every reporter. In a request once for each throwable, elsewhere once for each time that it failed, however
     * many handlers see it. Does not wait for the reporters and never fails.
     */
    readonly notify: (cause: Cause.Cause<unknown>, facts?: ReportContext, secrets?: Secrets) => Effect.Effect<void>
    /** Waits until every report under way is delivered or has run out of time. */
    readonly settle: Effect.Effect<void>
  }
>() {}

/** Adds a reporter for as long as the layer lives. */
export const layer = (reporter: Reporter): Layer.Layer<never, never, Reporters> =>
  Layer.scopedDiscard(Effect.flatMap(Reporters, (reporters) => reporters.push(reporter)))

/** Nobody listens. */
export const layerNone: Layer.Layer<Reporters> = Layer.succeed(Reporters, {
  push: () => Effect.void,
  notify: () => Effect.void,
  settle: Effect.void
})

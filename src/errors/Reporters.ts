// The reporters of exceptions. Each receives every throwable once per request.
import { type Cause, Context, Effect, Layer, type Scope } from "effect"
import type { Throwable } from "./Throwable.ts"

/**
 * The request in which it happened, as plain data that can be cloned and serialised. `uri` has no query, and is the
 * pattern of a route with parameters.
 */
export interface ReportContext {
  readonly id?: string
  readonly method?: string
  readonly uri?: string
  readonly peer?: string
  /** The id of the trace. */
  readonly trace?: string
  /** The id of the signed-in account. */
  readonly account?: string
}

/** The values of the request that no text may repeat; collected on the first call. */
export type Secrets = () => ReadonlyArray<string>

/**
 * Reports at once, or returns an effect that does. It may fail, throw or hang: neither the request nor another reporter is
 * affected.
 */
export type Reporter = (
  throwable: Throwable,
  context: ReportContext,
  secrets: Secrets
) => Effect.Effect<unknown, unknown> | void

/** The list of reporters. A slow or failing one affects neither the request nor the others. */
export class Reporters extends Context.Tag("effect-framework/errors/Reporters")<
  Reporters,
  {
    /** Adds a reporter until the scope closes; `flush` waits until it has delivered what it accepted. */
    readonly push: (reporter: Reporter, flush?: Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
    /**
     * Calls every reporter. In a request once for each throwable, elsewhere once for each failure, however many handlers
     * see it. Does not wait for the reporters and never fails.
     */
    readonly notify: (cause: Cause.Cause<unknown>, context?: ReportContext, secrets?: Secrets) => Effect.Effect<void>
    /** Waits until every pending report is delivered or timed out. */
    readonly settle: Effect.Effect<void>
  }
>() {}

/** Adds a reporter for the lifetime of the layer. */
export const layer = (reporter: Reporter): Layer.Layer<never, never, Reporters> =>
  Layer.scopedDiscard(Effect.flatMap(Reporters, (reporters) => reporters.push(reporter)))

/** Reports nothing. */
export const layerNone: Layer.Layer<Reporters> = Layer.succeed(Reporters, {
  push: () => Effect.void,
  notify: () => Effect.void,
  settle: Effect.void
})

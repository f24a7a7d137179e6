// The reporters of exceptions. Each receives every throwable once per request.
import { Cause, Context, Effect, type Fiber, Layer, Option, type Scope } from "effect"
import { RequestState } from "../http/internal/RequestState.ts"
import * as RequestContext from "./internal/RequestContext.ts"
import type { Throwable } from "./Throwable.ts"

export type { ReportContext } from "./internal/RequestContext.ts"

/** The values of the request that no text may repeat; collected on the first call. */
export type Secrets = () => ReadonlyArray<string>

/**
 * Reports at once, or returns an effect that does. It may fail, throw or hang: neither the request nor another reporter is
 * affected.
 */
export type Reporter = (
  throwable: Throwable,
  context: RequestContext.ReportContext,
  secrets: Secrets
) => Effect.Effect<unknown, unknown> | void

/** The list of reporters. A slow or failing one affects neither the request nor the others. */
export class Reporters extends Context.Tag("effect-framework/errors/Reporters")<
  Reporters,
  {
    /** Adds a reporter until the scope closes; `flush` waits until it has delivered what it accepted. */
    readonly add: (reporter: Reporter, flush?: Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
    /**
     * Calls every reporter. In a request once for each throwable, elsewhere once for each failure, however many handlers
     * see it. Does not wait for the reporters and never fails.
     */
    readonly notify: (
      cause: Cause.Cause<unknown>,
      context?: RequestContext.ReportContext,
      secrets?: Secrets
    ) => Effect.Effect<void>
    /** Waits until every pending report is delivered or timed out. */
    readonly settle: Effect.Effect<void>
  }
>() {}

/**
 * Adds a reporter for the lifetime of the layer.
 *
 * @example
 * ```ts
 * import { Console } from "effect"
 * import { Reporters } from "effect-framework/errors"
 *
 * export const printing = Reporters.layer(({ message }, { method, uri }) =>
 *   Console.error(`${message} (${method} ${uri})`)
 * )
 * ```
 */
export const layer = (reporter: Reporter): Layer.Layer<never, never, Reporters> =>
  Layer.scopedDiscard(Effect.flatMap(Reporters, (reporters) => reporters.add(reporter)))

/** Reports nothing. */
export const layerNone: Layer.Layer<Reporters> = Layer.succeed(Reporters, {
  add: () => Effect.void,
  notify: () => Effect.void,
  settle: Effect.void
})

const report = (cause: Cause.Cause<unknown>): Effect.Effect<void, never, Reporters> =>
  Effect.flatMap(Reporters, ({ notify }) =>
    Effect.flatMap(Effect.serviceOption(RequestState), (state) =>
      notify(cause, Option.getOrUndefined(Option.map(state, RequestContext.of)))
    )
  )

/**
 * `Effect.forkDaemon`, whose failure reaches the reporters: that of a plain daemon stays in its fiber until somebody joins
 * it. Joined in the request that forked it, a failure is still reported once. An interruption is none.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Reporters } from "effect-framework/errors"
 *
 * // A plain `Effect.forkDaemon` that dies is silent.
 * export const program = Reporters.forkDaemon(Effect.dieMessage("The nightly count broke"))
 * ```
 */
export const forkDaemon = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<Fiber.RuntimeFiber<A, E>, never, R | Reporters> =>
  Effect.forkDaemon(Effect.onError(effect, (cause) => (Cause.isInterruptedOnly(cause) ? Effect.void : report(cause))))

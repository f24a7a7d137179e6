// What a process needs to serve: each dependency has a check of its own, and all of them run at once.
import { Context, Effect, Layer, type Scope } from "effect"
import { type HealthCheck, type HealthResult, run } from "./internal/HealthResult.ts"

export type { Figures, HealthCheck, HealthResult } from "./internal/HealthResult.ts"
export type { NotReady, Readiness } from "./internal/HealthResult.ts"

/**
 * The checks of a program as a service.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { HealthChecks } from "effect-framework/observability"
 *
 * // `/readyz` answers 503 for as long as this takes.
 * export const withoutGuests = <A, E, R>(work: Effect.Effect<A, E, R>) =>
 *   Effect.gen(function* () {
 *     const checks = yield* HealthChecks.HealthChecks
 *     yield* checks.push({ name: "stock", check: Effect.fail("The stock is being counted") })
 *     return yield* work
 *   }).pipe(Effect.scoped)
 * ```
 */
export class HealthChecks extends Context.Tag("effect-framework/observability/HealthChecks")<
  HealthChecks,
  {
    /** Adds a check until the scope closes. */
    readonly push: (check: HealthCheck) => Effect.Effect<void, never, Scope.Scope>
    /** Runs all checks at the same time. Takes no longer than the longest timeout, and never fails. */
    readonly run: Effect.Effect<ReadonlyArray<HealthResult>>
  }
>() {}

const make = (): Context.Tag.Service<HealthChecks> => {
  const checks = new Set<HealthCheck>()
  return {
    push: (check) =>
      Effect.acquireRelease(
        Effect.sync(() => checks.add(check)),
        () => Effect.sync(() => checks.delete(check))
      ),
    run: Effect.suspend(() => Effect.forEach([...checks], run, { concurrency: "unbounded" }))
  }
}

/**
 * No checks yet.
 *
 * @example
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { DiskCheck } from "effect-framework/layers/observability"
 * import { HealthChecks } from "effect-framework/observability"
 *
 * const kettle = HealthChecks.add({ name: "kettle", check: Effect.void })
 *
 * // For a program that is made of single layers: `AppLayer.layer` has the service.
 * export const checks = Layer.merge(DiskCheck.layer({ path: "storage" }), kettle).pipe(
 *   Layer.provideMerge(HealthChecks.layer)
 * )
 * ```
 */
export const layer: Layer.Layer<HealthChecks> = Layer.sync(HealthChecks, make)

/**
 * Adds a check for the lifetime of the layer.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { HealthChecks } from "effect-framework/observability"
 *
 * // `/readyz` answers 503 while the kettle is empty.
 * export const kettle = HealthChecks.add({ name: "kettle", check: Effect.void })
 * ```
 */
export const add = (check: HealthCheck): Layer.Layer<never, never, HealthChecks> =>
  Layer.scopedDiscard(Effect.flatMap(HealthChecks, ({ push }) => push(check)))

// The outcome of a health check.
import { Clock, Effect } from "effect"

/** Whether a dependency can be used, and how long it took to find out. */
export interface HealthResult {
  readonly name: string
  readonly status: "ok" | "failed" | "timeout"
  readonly milliseconds: number
}

/** The outcome with the time that it took. */
export const timed = <E, R>(
  check: Effect.Effect<Omit<HealthResult, "milliseconds">, E, R>
): Effect.Effect<HealthResult, E, R> =>
  Effect.gen(function* () {
    const started = yield* Clock.currentTimeMillis
    const outcome = yield* check
    return { ...outcome, milliseconds: (yield* Clock.currentTimeMillis) - started }
  })

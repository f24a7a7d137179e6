// Runs one check of a dependency, for no longer than it may take.
import { Clock, type Duration, Effect } from "effect"

/** Whether a dependency can be used, and how long it took to find out. */
export interface HealthResult {
  readonly name: string
  readonly status: "ok" | "failed" | "timeout"
  readonly milliseconds: number
}

/** One dependency of the process. */
export interface HealthCheck {
  /** Shown in responses, so it holds no secret: `database`, `disk`. */
  readonly name: string
  /** Fails or dies when the dependency cannot be used. The reason is only logged: it may contain host names. */
  readonly check: Effect.Effect<void, unknown>
  /** How long it may take; 2 seconds. */
  readonly timeout?: Duration.DurationInput
}

/** Longer than a healthy dependency needs, shorter than the usual timeout of a load balancer. */
const defaultTimeout = "2 seconds"

/** The outcome of the check; the log has the reason. Takes no longer than the timeout, and never fails. */
export const run = ({ check, name, timeout = defaultTimeout }: HealthCheck): Effect.Effect<HealthResult> =>
  Effect.gen(function* () {
    const started = yield* Clock.currentTimeMillis
    const status = yield* check.pipe(
      Effect.as("ok" as const),
      Effect.catchAllCause((cause) => Effect.as(Effect.logWarning(`${name} is not ready`, cause), "failed" as const)),
      // A check that cannot be interrupted must not delay the response either: a driver waits for a frozen database.
      Effect.disconnect,
      Effect.timeoutTo({
        duration: timeout,
        onSuccess: (status) => Effect.succeed(status),
        onTimeout: () => Effect.as(Effect.logWarning(`${name} is not ready: it does not respond`), "timeout" as const)
      }),
      Effect.flatten
    )
    return { name, status, milliseconds: (yield* Clock.currentTimeMillis) - started }
  })

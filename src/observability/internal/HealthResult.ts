// Runs one check of a dependency, for no longer than it may take.
import { Clock, Context, Duration, Effect, Schema } from "effect"

/** Whether a dependency can be used, and how long it took to find out. */
export interface HealthResult {
  readonly name: string
  readonly status: "ok" | "failed" | "timeout"
  readonly milliseconds: number
  /** Figures to show beside it, read when they are asked for; none where they cannot be read in time. */
  readonly figures?: Effect.Effect<Figures>
}

/** Numbers by their name, such as `oldest_seconds`. */
export type Figures = Readonly<Record<string, number>>

/** One dependency of the process. */
export interface HealthCheck {
  /** Shown in responses, so it holds no secret: `database`, `disk`. */
  readonly name: string
  /** Fails or dies when the dependency cannot be used. The reason is only logged: it may contain host names. */
  readonly check: Effect.Effect<void, unknown>
  /** How long it may take; 2 seconds. */
  readonly timeout?: Duration.DurationInput
  /** Figures for those who see the single checks. They do not change the status. */
  readonly figures?: Effect.Effect<Figures, unknown>
}

/** Longer than a healthy dependency needs, shorter than the usual timeout of a load balancer. */
const defaultTimeout = "2 seconds"

/** For figures that are in memory, when another check has taken all the time. */
const leastTime = Duration.millis(10)

/** The outcome of the check; the log has the reason. Takes no longer than the timeout, and never fails. */
export const run = ({ check, figures, name, timeout = defaultTimeout }: HealthCheck): Effect.Effect<HealthResult> =>
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
    // As long as the check itself might still take: several checks and their figures take no longer than one timeout.
    const shown = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const left = Duration.max(leastTime, Duration.subtract(timeout, Duration.millis(now - started)))
      const read = Effect.catchAllCause(figures ?? Effect.succeed({}), () => Effect.succeed<Figures>({}))
      return Effect.timeoutTo(Effect.disconnect(read), {
        duration: left,
        onSuccess: (found) => found,
        onTimeout: (): Figures => ({})
      })
    })
    const milliseconds = (yield* Clock.currentTimeMillis) - started
    return { name, status, milliseconds, ...(figures !== undefined && { figures: shown }) }
  })

/** A dependency does not respond. The reason is for the log only: it may contain host names. */
export class NotReady extends Schema.TaggedError<NotReady>("effect-framework/observability/NotReady")("NotReady", {
  part: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.part} is not ready: ${this.reason}`
  }
}

/** Fails with `NotReady` while a dependency does not respond. */
export class Readiness extends Context.Tag("effect-framework/observability/Readiness")<
  Readiness,
  {
    readonly check: Effect.Effect<void, NotReady>
    /** What it checks, for the list of all checks; `program` by default. */
    readonly part?: string
  }
>() {}

// Not ready when jobs wait too long: no worker runs them.
import { Duration, Effect, Layer } from "effect"
import { Jobs } from "../../src/jobs/Jobs.ts"
import * as HealthChecks from "../../src/observability/HealthChecks.ts"

/** How long a job may be ready before a worker takes it. */
export interface Options {
  /** The queue; all of them by default. */
  readonly queue?: string
  /** 15 minutes. */
  readonly maxAge?: Duration.DurationInput
}

/**
 * Adds the check `waiting jobs`, or that of one queue: `mail queue` for queued e-mails.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { JobsCheck } from "effect-framework/layers/jobs"
 *
 * // Among the services of `App.run`: `/readyz` answers 503 when an e-mail waits for 5 minutes, or any job for an hour.
 * export const checks = Layer.merge(
 *   JobsCheck.layer({ queue: "mail", maxAge: "5 minutes" }),
 *   JobsCheck.layer({ maxAge: "1 hour" })
 * )
 * ```
 */
export const layer = ({ maxAge = "15 minutes", queue }: Options = {}): Layer.Layer<
  never,
  never,
  HealthChecks.HealthChecks | Jobs
> =>
  Layer.unwrapEffect(
    Effect.map(Jobs, ({ oldestAge }) =>
      HealthChecks.add({
        name: queue === undefined ? "waiting jobs" : `${queue} queue`,
        check: Effect.flatMap(oldestAge(queue), (age) =>
          Duration.lessThanOrEqualTo(age, maxAge)
            ? Effect.void
            : Effect.fail(`a job has been ready for ${Math.round(Duration.toSeconds(age))} seconds`)
        )
      })
    )
  )

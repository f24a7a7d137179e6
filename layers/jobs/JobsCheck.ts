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
 * Adds the check `waiting jobs`, or that of one queue: `mail queue` for queued e-mails. Paused queues are not late.
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
    Effect.map(Jobs, (jobs) =>
      HealthChecks.add({
        name: queue === undefined ? "waiting jobs" : `${queue} queue`,
        check: Effect.flatMap(ageOf(jobs, queue, maxAge), (age) =>
          Duration.lessThanOrEqualTo(age, maxAge)
            ? Effect.void
            : Effect.fail(`a job has been ready for ${Math.round(Duration.toSeconds(age))} seconds`)
        )
      })
    )
  )

// A pause for an hour must not take every process that serves out of the balancer. The metric goes on to tell of it: a pause
// may be forgotten. Queues are looked at one by one only while jobs are late and something is paused.
const ageOf = Effect.fnUntraced(function* (
  { depths, oldestAge, paused }: typeof Jobs.Service,
  queue: string | undefined,
  maxAge: Duration.DurationInput
) {
  const age = yield* oldestAge(queue)
  if (Duration.lessThanOrEqualTo(age, maxAge)) return age
  const stopped = new Set(yield* paused)
  if (stopped.size === 0) return age
  const queues = queue === undefined ? new Set((yield* depths).map((count) => count.queue)) : [queue]
  const ages = yield* Effect.forEach(
    [...queues].filter((name) => !stopped.has(name)),
    oldestAge
  )
  return ages.reduce(Duration.max, Duration.zero)
})

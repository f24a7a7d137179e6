// What jobs tell the metrics of a program, where it has a registry: outcomes, durations, and the length of the queues. The
// age of the oldest one is also among the figures of the health checks.
import { Duration, Effect, Option, type Scope } from "effect"
import { type Count, Jobs } from "../../../src/jobs/Jobs.ts"
import type { Outcome } from "../../../src/jobs/internal/JobRules.ts"
import * as Counter from "../../../src/observability/Counter.ts"
import { HealthChecks } from "../../../src/observability/HealthChecks.ts"
import * as Histogram from "../../../src/observability/Histogram.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import { Observability } from "../../../src/observability/Observability.ts"
import type { Reading } from "../../../src/observability/Snapshot.ts"

/** Records one attempt; the names of jobs are those of the handlers, and therefore few. */
type Record = (job: string, outcome: Outcome["_tag"], seconds: number) => void

// Every worker reads the same table: the fleet must not add up what they read.
const shared = { type: "gauge", aggregation: "max" } as const

const readings = (counts: ReadonlyArray<Count>, oldest: Duration.Duration): ReadonlyArray<Reading> => [
  {
    ...shared,
    name: "jobs",
    help: "Jobs by queue and state, without those that are done",
    series: counts.map(({ jobs, queue, state }) => ({ labels: Labels.of({ queue, state }), value: jobs }))
  },
  {
    ...shared,
    name: "jobs_oldest_seconds",
    help: "Seconds that the oldest ready job has waited",
    series: [{ labels: Labels.of({}), value: Duration.toSeconds(oldest) }]
  }
]

const buckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300, 600]

// It never changes the status: a program that wants this adds `JobsCheck`.
const addFigures = Effect.gen(function* () {
  const checks = yield* Effect.serviceOption(HealthChecks)
  const { oldestAge } = yield* Jobs
  const figures = Effect.map(oldestAge(), (age) => ({ oldest_seconds: Duration.toSeconds(age) }))
  if (Option.isSome(checks)) yield* checks.value.push({ name: "jobs", check: Effect.void, figures })
})

/** Adds the instruments and the collector; without a registry nothing is recorded. */
export const make: Effect.Effect<Record, never, Jobs | Scope.Scope> = Effect.gen(function* () {
  yield* addFigures
  const observability = yield* Effect.serviceOption(Observability)
  if (Option.isNone(observability)) return () => undefined
  const { collectors, metrics } = observability.value
  const { depths, oldestAge } = yield* Jobs
  // A snapshot is taken every few seconds: its statements are worth no span.
  const read = Effect.withTracerEnabled(Effect.zipWith(depths, oldestAge(), readings), false)
  yield* collectors.push({ name: "jobs", collect: read })
  const attempts = yield* Counter.family("job_attempts_total", {
    help: "Attempts of jobs by outcome",
    labels: ["name", "outcome"]
  })
  const durations = yield* Histogram.family("job_duration_seconds", {
    help: "Duration of the attempts of jobs in seconds",
    labels: ["name"],
    buckets
  })
  yield* metrics.push(attempts)
  yield* metrics.push(durations)
  // Not `job`: Prometheus calls what it scrapes so.
  const record: Record = (name, outcome, seconds) => {
    attempts.with({ name, outcome: outcome.toLowerCase() }).increment()
    durations.with({ name }).observe(seconds)
  }
  return record
}).pipe(
  Effect.catchTag("InvalidInstrument", ({ message }) =>
    Effect.as(Effect.logWarning(`Jobs are not measured: ${message}`), () => undefined)
  )
)

// The number of queued e-mails and the age of the oldest one, where the program has a registry of metrics.
import { Duration, Effect, Layer, Option } from "effect"
import { Jobs } from "../../../src/jobs/Jobs.ts"
import { counts, type Counts, MailJob } from "../../../src/mail/internal/MailJob.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import { Observability } from "../../../src/observability/Observability.ts"
import type { Reading } from "../../../src/observability/Snapshot.ts"

const states = ["delayed", "failed", "ready"] as const

// Every worker reads the same table: the fleet must not add up what they read.
const shared = { type: "gauge", aggregation: "max" } as const

const readings = (counts: Counts, oldest: Duration.Duration): ReadonlyArray<Reading> => [
  {
    ...shared,
    name: "mail_queue_messages",
    help: "Queued e-mails by state",
    series: states.map((state) => ({ labels: Labels.of({ state }), value: counts[state] }))
  },
  {
    ...shared,
    name: "mail_queue_oldest_seconds",
    help: "Seconds that the oldest ready e-mail has waited",
    series: [{ labels: Labels.of({}), value: Duration.toSeconds(oldest) }]
  }
]

/** `mail_queue_messages` by state and `mail_queue_oldest_seconds`, read at each snapshot. */
export const layer: Layer.Layer<never, never, Jobs> = Layer.scopedDiscard(
  Effect.gen(function* () {
    const observability = yield* Effect.serviceOption(Observability)
    if (Option.isNone(observability)) return
    const jobs = yield* Jobs
    const messages = Effect.provideService(counts, Jobs, jobs)
    // A snapshot is taken every few seconds: its statements are worth no span.
    const read = Effect.withTracerEnabled(Effect.zipWith(messages, jobs.oldestAge(MailJob.queue), readings), false)
    yield* observability.value.collectors.push({ name: "mail queue", collect: read })
  })
)

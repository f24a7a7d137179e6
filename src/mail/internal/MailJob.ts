// A queued message is a job: three attempts, and its text is erased as soon as it is sent.
import { Effect, Schedule } from "effect"
import * as Job from "../../jobs/Job.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { Mailer } from "../Mailer.ts"
import { MailMessage } from "../MailMessage.ts"

/** The job, and the queue in which no other jobs wait. */
export const MailJob = Job.make("mail", {
  payload: MailMessage,
  queue: "mail",
  // 30 seconds after the first failure, two minutes after the second.
  retry: Schedule.intersect(Schedule.exponential("30 seconds", 4), Schedule.recurs(2)),
  timeout: "45 seconds",
  erase: true
})

/** Sends a queued message. A failure is the reason alone: neither the log nor a list may tell address or link. */
export const handler = Job.toLayer(MailJob, (message, { id }) =>
  Effect.flatMap(Mailer, (mailer) => mailer.send(message, { id })).pipe(
    Effect.mapError(({ reason }) => reason),
    Effect.catchAllDefect(() => Effect.fail("the mailer broke"))
  )
)

/** The number of messages in each state. */
export interface Counts {
  readonly ready: number
  /** Waiting for another attempt, or in the hands of a worker. */
  readonly delayed: number
  /** The delayed messages that a worker has. */
  readonly leased: number
  readonly failed: number
}

/** The messages that are not sent yet. */
export const counts: Effect.Effect<Counts, never, Jobs> = Effect.flatMap(Jobs, (jobs) =>
  Effect.map(jobs.depths, (all) => {
    const of = (wanted: string) =>
      all.find(({ queue, state }) => queue === MailJob.queue && state === wanted)?.jobs ?? 0
    const leased = of("running")
    return { ready: of("ready"), delayed: of("waiting") + leased, leased, failed: of("failed") }
  })
)

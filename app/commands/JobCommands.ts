// What the `queue` command does with jobs.
import { Console, Effect, Layer, Option } from "effect"
import type { AppConfig } from "../../layers/server/AppConfig.ts"
import { type JobInfo, Jobs } from "../../src/jobs/Jobs.ts"
import { MailJob } from "../../src/mail/internal/MailJob.ts"
import type { Program } from "../Program.ts"
import type { RunWork } from "./Work.ts"

const time = (millis: number): string => new Date(millis).toISOString()

const pausedLine = (queue: string): string => `${queue} is paused`

const lineOf = ({ attempts, endedAt, id, name, reason = "", state, createdAt }: JobInfo): string =>
  `  ${id}  ${time(endedAt ?? createdAt)}  ${name}  ${state}  ${attempts} attempts  ${reason}`.trimEnd()

/**
 * Prints the counts by queue and state, which queues without such a line are paused, and the failed jobs; queued e-mails have
 * lines of their own.
 */
export const list = Effect.gen(function* () {
  const jobs = yield* Jobs
  const paused = new Set(yield* jobs.paused)
  const counts = (yield* jobs.counts).filter(({ queue }) => queue !== MailJob.queue)
  for (const { jobs: count, queue, state } of counts) {
    yield* Console.log(`jobs in ${queue}${paused.has(queue) ? " (paused)" : ""}: ${state} ${count}`)
  }
  for (const queue of [...paused].filter((name) => !counts.some(({ queue }) => queue === name))) {
    yield* Console.log(pausedLine(queue))
  }
  for (const { queue, state } of counts.filter(({ state }) => state === "failed")) {
    for (const job of yield* jobs.list({ state, queue })) yield* Console.log(lineOf(job))
  }
})

const noSuchJob = (id: string, what: string) => Effect.as(Console.error(`There is no job ${id} that ${what}`), 1)

/** Prints one job. */
export const show = (id: string) =>
  Effect.flatMap(
    Effect.flatMap(Jobs, ({ find }) => find(id)),
    Option.match({
      onNone: () => noSuchJob(id, "is known"),
      onSome: ({ attempts, createdAt, due, endedAt, name, queue, reason, state, traceId }) =>
        Effect.as(
          Effect.forEach(
            [
              ["job", name],
              ["queue", queue],
              ["state", state],
              ["attempts", attempts],
              ["created", time(createdAt)],
              ["due", time(due)],
              ["ended", endedAt === undefined ? undefined : time(endedAt)],
              ["reason", reason],
              ["trace", traceId]
            ].filter(([, value]) => value !== undefined),
            ([label, value]) => Console.log(`${label}: ${value}`),
            { discard: true }
          ),
          0
        )
    })
  )

/** Makes one job ready again. */
export const retry = (id: string) =>
  Effect.flatMap(
    Effect.flatMap(Jobs, (jobs) => jobs.retry(id)),
    (isReady) =>
      isReady ? Effect.as(Console.log("1 job is ready again"), 0) : noSuchJob(id, "has failed and can be run again")
  )

/** Makes all failed jobs ready again. */
export const retryAll = Effect.flatMap(
  Effect.flatMap(Jobs, ({ retryFailed }) => retryFailed()),
  (count) =>
    count === 0 ? Effect.void : Console.log(count === 1 ? "1 job is ready again" : `${count} jobs are ready again`)
)

/** Ends a job that has not started. */
export const cancel = (id: string) =>
  Effect.flatMap(
    Effect.flatMap(Jobs, (jobs) => jobs.cancel(id)),
    (isEnded) => (isEnded ? Effect.as(Console.log("the job is cancelled"), 0) : noSuchJob(id, "has not started"))
  )

/** Starts no job of the queue. */
export const pause = (queue: string) =>
  Effect.zipRight(
    Effect.flatMap(Jobs, (jobs) => jobs.pause(queue)),
    Effect.as(Console.log(pausedLine(queue)), 0)
  )

/** Starts jobs of the queue again. */
export const resume = (queue: string) =>
  Effect.zipRight(
    Effect.flatMap(Jobs, (jobs) => jobs.resume(queue)),
    Effect.as(Console.log(`${queue} goes on`), 0)
  )

/** Runs the jobs of the program in this process, until it is stopped. */
export const run = <E>(run: RunWork, app: Effect.Effect<Program<E>>, concurrency: number) =>
  run(
    Effect.fnUntraced(function* (settings: AppConfig) {
      const { worker } = yield* app
      if (worker === undefined) {
        yield* Console.error("This program has no worker of jobs: App.make gives it one")
        return 1
      }
      yield* Console.log(`running jobs, ${concurrency} at once`)
      return yield* Layer.launch(worker(settings, concurrency))
    })
  )

// What becomes of a job after an attempt: a pure rule over the failure, the attempts so far and the schedule.
import { Cause, Chunk, Duration, Effect, Exit, Option, Schedule } from "effect"
import * as Preview from "../../errors/internal/Preview.ts"
import * as Thrown from "../../errors/internal/Thrown.ts"
import { Discard, Snooze } from "../Job.ts"

/** What an attempt leaves behind. `due` is in milliseconds. */
export type Outcome =
  | { readonly _tag: "Done" }
  | { readonly _tag: "Retried"; readonly due: number; readonly reason: string }
  | { readonly _tag: "Snoozed"; readonly due: number; readonly reason?: string }
  | { readonly _tag: "Discarded"; readonly reason: string }
  | { readonly _tag: "Failed"; readonly reason: string }
  /** It was interrupted by a stop: as if it had not begun. */
  | { readonly _tag: "Released" }

/**
 * The delay before the next attempt after so many, or none when the schedule has ended. The schedule is walked from its
 * beginning: nothing but the number of attempts is stored. One that throws has ended, or the job would never end.
 */
export const delayAfter = (
  schedule: Schedule.Schedule<unknown, unknown>,
  attempts: number,
  now: number,
  failure: unknown
): Effect.Effect<Option.Option<Duration.Duration>> =>
  Effect.map(
    // A schedule that ends gives one delay more, of zero: one failure too many tells it from a delay that is meant.
    Schedule.run(
      Schedule.delays(schedule),
      now,
      Array.from({ length: attempts + 1 }, () => failure)
    ),
    (delays) => (delays.length <= attempts ? Option.none() : Chunk.get(delays, attempts - 1))
  ).pipe(
    Effect.catchAllDefect((defect) =>
      Effect.as(Effect.logError("The retry schedule of a job failed", defect), Option.none())
    )
  )

// Attempts that may be lost with their worker, above those of the schedule.
const mostLost = 3

/** Whether the attempts before this one were too many: a job that ends its process every time must end, too. */
export const isSpent = (
  schedule: Schedule.Schedule<unknown, unknown>,
  attempts: number,
  now: number
): Effect.Effect<boolean> =>
  attempts <= mostLost + 1
    ? Effect.succeed(false)
    : Effect.map(delayAfter(schedule, attempts - 1 - mostLost, now, undefined), Option.isNone)

const maxReason = 2000

// => Closed: { until: "noon" }: an error without a message says what it is by its fields.
const textOf = (failure: unknown): string => {
  const message = Thrown.message(failure)
  if (!(failure instanceof Error)) return message
  const fields = Thrown.fields(failure)
  const details = message === "" && fields.length > 0 ? Preview.of(Object.fromEntries(fields)) : message
  return [Thrown.className(failure), details].filter((part) => part !== "").join(": ")
}

/** What went wrong, for lists and the log. */
const reasonOf = (cause: Cause.Cause<unknown>): string => textOf(Cause.squash(cause)).slice(0, maxReason)

/** The outcome of an attempt; `attempts` counts it. */
export const outcome = (
  exit: Exit.Exit<unknown, unknown>,
  attempts: number,
  now: number,
  schedule: Schedule.Schedule<unknown, unknown>
): Effect.Effect<Outcome> => {
  if (Exit.isSuccess(exit)) return Effect.succeed({ _tag: "Done" })
  if (Cause.isInterruptedOnly(exit.cause)) return Effect.succeed({ _tag: "Released" })
  const failure = Cause.failureOption(exit.cause)
  if (Option.isSome(failure) && failure.value instanceof Discard) {
    return Effect.succeed({ _tag: "Discarded", reason: failure.value.reason })
  }
  if (Option.isSome(failure) && failure.value instanceof Snooze) {
    return Effect.succeed({ _tag: "Snoozed", due: now + Duration.toMillis(failure.value.delay) })
  }
  const reason = reasonOf(exit.cause)
  return Effect.map(
    delayAfter(schedule, attempts, now, Cause.squash(exit.cause)),
    Option.match({
      onNone: (): Outcome => ({ _tag: "Failed", reason }),
      onSome: (delay): Outcome => ({ _tag: "Retried", due: now + Duration.toMillis(delay), reason })
    })
  )
}

// Periodic jobs: an expression or an interval, in a time zone, enqueued once for each tick in the whole fleet.
import { Cron, DateTime, Duration, Either, Effect, Layer, Option, Schema } from "effect"
import * as Job from "./Job.ts"
import { refused } from "./internal/RefusedJob.ts"
import { CronJobs, isPossible, type Missed, type Rhythm } from "./internal/Ticks.ts"

export type { CronJobs, Missed } from "./internal/Ticks.ts"

/** What a periodic job is made of, besides its rhythm. */
export interface Options extends Omit<Job.Options<Tick, TickEncoded>, "payload" | "unique"> {
  /** Ticks that no process was there for: the last of them, none, or all up to a hundred; `last`. */
  readonly missed?: Missed
}

/**
 * The payload of a periodic job: the time that it is for, which is not always the time that it runs.
 *
 * @example
 * ```ts
 * import { DateTime, Effect } from "effect"
 * import { CronJob } from "effect-framework/jobs"
 *
 * const Report = CronJob.make("report", "0 9 * * 1-5")
 *
 * const write = ({ at }: CronJob.Tick) => Effect.log(`the report of ${DateTime.formatIsoDateUtc(at)}`)
 *
 * export const reports = CronJob.toLayer(Report, write)
 * ```
 */
export const Tick = Schema.Struct({ at: Schema.DateTimeUtc })

/** The time that a periodic job is for. */
export type Tick = typeof Tick.Type

/** A tick as it is stored. */
export type TickEncoded = typeof Tick.Encoded

/** A job with its rhythm. */
export interface CronJob<Name extends string> extends Job.Job<Name, Tick, TickEncoded> {
  readonly rhythm: Rhythm
  readonly missed: Missed
}

// With a name it would load the tables of time zones, which take 8 MiB of every process.
const zoneOf = (name: string): Option.Option<DateTime.TimeZone> =>
  name === "UTC" ? Option.some(DateTime.zoneMakeOffset(0)) : DateTime.zoneMakeNamed(name)

const fromRhythm = <Name extends string>(name: Name, rhythm: Rhythm, { missed = "last", ...options }: Options) => ({
  ...Job.make(name, { ...options, payload: Tick }),
  rhythm,
  missed
})

/**
 * A job by a cron expression of five fields, or of six with seconds first, in a time zone; `UTC`. In the night that the
 * clock goes forward a time that does not exist, such as 02:30, runs at 03:30; in the night that it goes back a time that
 * comes twice runs the first time alone, also that of an expression for every hour or minute.
 *
 * @example
 * ```ts
 * import { DateTime, Effect } from "effect"
 * import { CronJob } from "effect-framework/jobs"
 *
 * const Report = CronJob.make("report", "0 9 * * 1-5", { zone: "Europe/Berlin" })
 *
 * export const reports = CronJob.toLayer(Report, ({ at }) => Effect.log(`the report of ${DateTime.formatIso(at)}`))
 * ```
 */
export const make = <const Name extends string>(
  name: Name,
  expression: string,
  { zone = "UTC", ...options }: Options & { readonly zone?: string } = {}
): CronJob<Name> => {
  const named = zoneOf(zone)
  if (Option.isNone(named)) throw refused(`The job ${name} has an unknown time zone: ${zone}`)
  const cron = Either.getOrThrowWith(Cron.parse(expression, named.value), ({ message }) =>
    refused(`The job ${name} has the malformed expression ${expression}: ${message}`)
  )
  if (!isPossible(cron)) throw refused(`The job ${name} has the expression ${expression}, which no day fits`)
  return fromRhythm(name, { _tag: "Cron", cron }, options)
}

/**
 * A job at every multiple of an interval since the epoch, in every process at the same times.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { CronJob } from "effect-framework/jobs"
 *
 * // At :00, :15, :30 and :45, in one process of the fleet. An old count of the stock is worth nothing.
 * const Count = CronJob.every("count", "15 minutes", { missed: "none" })
 *
 * export const counting = CronJob.toLayer(Count, () => Effect.log("counting the tins of tea"))
 * ```
 */
export const every = <const Name extends string>(
  name: Name,
  interval: Duration.DurationInput,
  options: Options = {}
): CronJob<Name> => {
  const millis = Duration.toMillis(interval)
  if (!(millis >= 1000)) throw refused(`The job ${name} needs an interval of at least a second`)
  return fromRhythm(name, { _tag: "Every", millis }, options)
}

/** The handler of a periodic job; the worker of jobs enqueues its ticks. */
export const toLayer = <Name extends string, E, R>(
  job: CronJob<Name>,
  handle: (tick: Tick, attempt: Job.Attempt) => Effect.Effect<unknown, E, R>
) =>
  Layer.merge(
    Job.toLayer(job, handle),
    Layer.effectDiscard(
      Effect.flatMap(CronJobs, ({ add }) =>
        add({
          name: job.name,
          rhythm: job.rhythm,
          missed: job.missed,
          row: (at) => ({
            name: job.name,
            queue: job.queue,
            priority: job.priority,
            payload: JSON.stringify(Schema.encodeSync(Tick)({ at: DateTime.unsafeMake(at) })),
            due: undefined,
            unique: undefined,
            traceparent: undefined
          })
        })
      )
    )
  )

// The queue of jobs: rows in the program's own database and in the transaction of whoever enqueues them.
import { Clock, Context, type DateTime, Duration, Effect, Either, Option, type ParseResult, Schema } from "effect"
import * as TraceContext from "../http/internal/TraceContext.ts"
import * as Tracing from "../observability/internal/Tracing.ts"
import type { Handled, Job } from "./Job.ts"

/** The states of a job: four that it goes through and three in which it ends besides `done`. */
export const states = ["waiting", "ready", "running", "done", "failed", "discarded", "cancelled"] as const

/** Where a job is in its life. `waiting` has a time in the future: a delay or a retry. */
export type State = (typeof states)[number]

/** A job as operators see it, without its payload. */
export interface JobInfo {
  readonly id: string
  readonly name: string
  readonly queue: string
  readonly state: State
  readonly attempts: number
  /** Milliseconds since the epoch: when it can start, or when the lease of its worker ends. */
  readonly due: number
  readonly createdAt: number
  readonly endedAt: number | undefined
  /** Why the last attempt failed. */
  readonly reason: string | undefined
  /** The trace of the request that asked for it. */
  readonly traceId: string | undefined
}

/** A row before it is stored. */
export interface NewJob {
  readonly name: string
  readonly queue: string
  readonly priority: number
  readonly payload: string
  /** Whether the payload is stored sealed; `false`. */
  readonly hasSecrets?: boolean
  /** Milliseconds since the epoch; at once without it. */
  readonly due: number | undefined
  readonly unique:
    | { readonly key: string; readonly until: "started" | "ended"; readonly onConflict: "skip" | "replace" }
    | undefined
  readonly traceparent: string | undefined
}

/** Which jobs are listed. */
export interface Query {
  readonly state?: State
  readonly queue?: string
  /** 100. */
  readonly limit?: number
}

/** The number of jobs of a queue in a state. */
export interface Count {
  readonly queue: string
  readonly state: State
  readonly jobs: number
}

/** The queue as a service. */
export class Jobs extends Context.Tag("effect-framework/jobs/Jobs")<
  Jobs,
  {
    /** Stores the jobs in the caller's transaction; an id for each, or nothing where the key of a unique job is taken. */
    readonly insert: (jobs: ReadonlyArray<NewJob>) => Effect.Effect<ReadonlyArray<Option.Option<string>>>
    /** Ends a job that has not started. `false` when there is none. */
    readonly cancel: (id: string) => Effect.Effect<boolean>
    /** Makes a job that ended without success ready again, with all its attempts. */
    readonly retry: (id: string) => Effect.Effect<boolean>
    /** The same for every failed job, of this queue or of all; how many there were. */
    readonly retryFailed: (queue?: string) => Effect.Effect<number>
    /** Starts no job of this queue anywhere until it is resumed; what runs goes on. */
    readonly pause: (queue: string) => Effect.Effect<void>
    readonly resume: (queue: string) => Effect.Effect<void>
    readonly paused: Effect.Effect<ReadonlyArray<string>>
    readonly find: (id: string) => Effect.Effect<Option.Option<JobInfo>>
    /** The newest first. */
    readonly list: (query?: Query) => Effect.Effect<ReadonlyArray<JobInfo>>
    /** How many there are, by queue and state. It reads the whole table: for people who look now and then. */
    readonly counts: Effect.Effect<ReadonlyArray<Count>>
    /** The same without those that are done: for a metric, however many they are. */
    readonly depths: Effect.Effect<ReadonlyArray<Count>>
    /** How long the oldest of the ready jobs, of this queue or of all, has been ready; zero when none is. */
    readonly oldestAge: (queue?: string) => Effect.Effect<Duration.Duration>
    /** Deletes jobs that were done more than a day ago, and others that ended more than thirty days ago. */
    readonly sweep: Effect.Effect<number>
  }
>() {}

/** When a job may start, and its place among the others. */
export interface EnqueueOptions {
  readonly delay?: Duration.DurationInput
  readonly at?: DateTime.DateTime
  /** In place of the one that the job declares. */
  readonly priority?: number
}

const rowsOf = <Name extends string, A, I>(job: Job<Name, A, I>, payloads: ReadonlyArray<A>, options: EnqueueOptions) =>
  Effect.gen(function* () {
    const { at, delay, priority = job.priority } = options
    const now = yield* Clock.currentTimeMillis
    const later = delay === undefined ? undefined : now + Duration.toMillis(delay)
    const due = at === undefined ? later : at.epochMillis
    const span = yield* Tracing.current
    const traceparent = span === undefined ? undefined : TraceContext.traceparent(span)
    const encode = Schema.encode(Schema.parseJson(job.payload))
    const { key, onConflict = "skip", until = "ended" } = job.unique ?? {}
    // What does not fit its schema is a mistake of the program. The report must not tell a secret.
    const unfit = (error: ParseResult.ParseError) =>
      Effect.die(job.hasSecrets ? new Error(`The payload of the job ${job.name} does not fit its schema`) : error)
    const rows: Array<NewJob> = []
    for (const payload of payloads) {
      const encoded = encode(payload)
      // Ten thousand payloads are no effect each.
      const text = Either.isEither(encoded) && Either.isRight(encoded) ? encoded.right : undefined
      rows.push({
        name: job.name,
        queue: job.queue,
        priority,
        payload: typeof text === "string" ? text : yield* Effect.catchAll(encoded, unfit),
        hasSecrets: job.hasSecrets,
        due: due !== undefined && due > now ? due : undefined,
        unique: key === undefined ? undefined : { key: key(payload), until, onConflict },
        traceparent
      })
    }
    return rows
  })

/**
 * Stores a job for each payload, in the caller's transaction: they exist if it commits. Nothing in place of an id means
 * that the key of a unique job was taken.
 *
 * @example
 * ```ts
 * import { Effect, Option, Schema } from "effect"
 * import { Job, Jobs } from "effect-framework/jobs"
 *
 * const Reminder = Job.make("reminder", {
 *   payload: Schema.Struct({ email: Schema.String }),
 *   unique: { key: ({ email }) => email }
 * })
 *
 * // How many get one tomorrow: whoever waits for a reminder already gets no second one.
 * export const remind = (emails: ReadonlyArray<string>) =>
 *   Jobs.enqueueAll(
 *     Reminder,
 *     emails.map((email) => ({ email })),
 *     { delay: "1 day" }
 *   ).pipe(Effect.map((ids) => ids.filter(Option.isSome).length))
 * ```
 */
export const enqueueAll = <Name extends string, A, I>(
  job: Job<Name, A, I>,
  payloads: ReadonlyArray<A>,
  options: EnqueueOptions = {}
): Effect.Effect<ReadonlyArray<Option.Option<string>>, never, Jobs | Handled<Name>> =>
  Effect.gen(function* () {
    const { insert } = yield* Jobs
    return yield* insert(yield* rowsOf(job, payloads, options))
  }).pipe(Tracing.span("Jobs.enqueue", { kind: "producer", attributes: { "messaging.destination.name": job.queue } }))

/**
 * Stores a job in the caller's transaction. Nothing in place of its id means that the key of a unique job was taken. A
 * program that has no handler of the job does not compile.
 */
export const enqueue = <Name extends string, A, I>(
  job: Job<Name, A, I>,
  payload: A,
  options?: EnqueueOptions
): Effect.Effect<Option.Option<string>, never, Jobs | Handled<Name>> =>
  Effect.map(enqueueAll(job, [payload], options), ([id = Option.none()]) => id)

// A job: durable work with a name, a payload and the rules of its retries. Its handler is a layer.
import { Context, Duration, Effect, Layer, type Schedule, Schema, type Scope } from "effect"
import { defaultRetry, lease } from "./internal/Defaults.ts"
import { Handlers } from "./internal/Handlers.ts"
import { refused } from "./internal/RefusedJob.ts"
import { hasSecrets, losesSecrets } from "./internal/SecretFields.ts"
import * as RequestServices from "../http/internal/RequestServices.ts"

export type { Handlers } from "./internal/Handlers.ts"

/** Ends the job without another attempt, from inside its handler. It is kept as `discarded`. */
export class Discard extends Schema.TaggedError<Discard>("effect-framework/jobs/Discard")("Discard", {
  reason: Schema.String
}) {
  override get message() {
    return `Discarded: ${this.reason}`
  }
}

/**
 * Runs the job again after a delay, from inside its handler, without counting an attempt.
 *
 * @example
 * ```ts
 * import { HttpClient } from "@effect/platform"
 * import { Duration, Effect, Schema } from "effect"
 * import { Job } from "effect-framework/jobs"
 *
 * const Order = Job.make("order", { payload: Schema.Struct({ tea: Schema.String }) })
 *
 * export const ordering = Job.toLayer(Order, ({ tea }) =>
 *   Effect.flatMap(HttpClient.post(`https://merchant.example.com/orders/${encodeURIComponent(tea)}`), ({ status }) => {
 *     // Closed for the night, which is no failed attempt.
 *     if (status === 503) return new Job.Snooze({ delay: Duration.hours(1) })
 *     // Another attempt would change nothing.
 *     if (status === 404) return new Job.Discard({ reason: `The merchant has no ${tea}` })
 *     return status < 300 ? Effect.void : Effect.fail(new Error(`The merchant responds with ${status}`))
 *   })
 * )
 * ```
 */
export class Snooze extends Schema.TaggedError<Snooze>("effect-framework/jobs/Snooze")("Snooze", {
  delay: Schema.DurationFromSelf
}) {
  override get message() {
    return `Snoozed for ${Duration.format(this.delay)}`
  }
}

/** One row for a key at a time. */
export interface Unique<A> {
  readonly key: (payload: A) => string
  /** How long the key is taken: until a worker starts the job, or until the job has ended; `ended`. */
  readonly until?: "started" | "ended"
  /** What another one with the same key does: nothing, or it replaces what has not started yet; `skip`. */
  readonly onConflict?: "skip" | "replace"
}

/** What a job is made of. */
export interface Options<A, I> {
  /** Stored as JSON; sealed where a field of it, at any depth, is `Redacted`. */
  readonly payload: Schema.Schema<A, I>
  /** The queue that it waits in; `default`. */
  readonly queue?: string
  /** Jobs of a lower number are started first; 0. */
  readonly priority?: number
  readonly unique?: Unique<A>
  /** The delays between attempts; it fails for good when the schedule ends. Ten attempts within about a day. */
  readonly retry?: Schedule.Schedule<unknown, unknown>
  /** How long an attempt may take; 10 minutes, or 50 seconds for a transactional one. */
  readonly timeout?: Duration.DurationInput
  /**
   * Whether the job ends in the transaction of its handler: what it writes to the database is written exactly once. It is
   * not renewed, so its timeout must be shorter than the lease of 60 seconds.
   */
  readonly transactional?: boolean
  /** Whether the payload is erased as soon as the job is done. */
  readonly erase?: boolean
}

/** A kind of job. */
export interface Job<Name extends string, A, I = unknown> extends Required<Omit<Options<A, I>, "unique">> {
  readonly name: Name
  readonly unique: Unique<A> | undefined
  /** Whether a field of the payload is `Redacted`: it is stored sealed, with the keys of the program. */
  readonly hasSecrets: boolean
}

/** In the requirements of everything that enqueues the job; only a layer of its handler provides it. */
export interface Handled<Name extends string> {
  readonly _: unique symbol
  readonly job: Name
}

/**
 * What a handler knows of the attempt that it is.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import type { Job } from "effect-framework/jobs"
 *
 * export const log = (order: { readonly number: number }, { attempt, id }: Job.Attempt) =>
 *   Effect.logInfo(`order ${order.number}, attempt ${attempt} of the job ${id}`)
 * ```
 */
export interface Attempt {
  readonly id: string
  /** From 1. */
  readonly attempt: number
}

/**
 * A job of this name.
 *
 * @example
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Job, Jobs } from "effect-framework/jobs"
 *
 * const Thumbnail = Job.make("thumbnail", { payload: Schema.Struct({ picture: Schema.String }) })
 *
 * export const handler = Job.toLayer(Thumbnail, ({ picture }) => Effect.log(`scaling ${picture}`))
 *
 * // A row in the transaction of the caller.
 * export const program = Jobs.enqueue(Thumbnail, { picture: "cat.png" })
 * ```
 */
export const make = <const Name extends string, A, I>(name: Name, options: Options<A, I>): Job<Name, A, I> => {
  const transactional = options.transactional ?? false
  const timeout = options.timeout ?? (transactional ? "50 seconds" : "10 minutes")
  if (!/^[a-z][a-z0-9_.-]{0,99}$/.test(name)) {
    throw refused(`A job is named in lower case, with digits, dots, dashes and underscores: ${name}`)
  }
  if (transactional && Duration.greaterThanOrEqualTo(timeout, lease)) {
    throw refused(`The timeout of the transactional job ${name} must be below ${Duration.format(lease)}`)
  }
  if (losesSecrets(options.payload)) {
    throw refused(`The payload of the job ${name} has a field of Schema.RedactedFromSelf, which JSON cannot hold`)
  }
  return {
    name,
    payload: options.payload,
    hasSecrets: hasSecrets(options.payload),
    queue: options.queue ?? "default",
    priority: options.priority ?? 0,
    unique: options.unique,
    retry: options.retry ?? defaultRetry,
    timeout,
    transactional,
    erase: options.erase ?? false
  }
}

const handledBy = <Name extends string>(name: Name) =>
  Context.GenericTag<Handled<Name>, true>(`effect-framework/jobs/Handled/${name}`)

/**
 * The handler of a job. It may run more than once for one job, unless the job is transactional: at least once is what a
 * queue can promise. A failure is retried by the schedule of the job; `Discard` and `Snooze` are answers of their own.
 */
export const toLayer = <Name extends string, A, I, E, R>(
  job: Job<Name, A, I>,
  handle: (payload: A, attempt: Attempt) => Effect.Effect<unknown, E, R>
): Layer.Layer<Handled<Name>, never, Handlers | Exclude<R, Handled<Name> | Scope.Scope>> => {
  const handled = handledBy(job.name)
  const decode = Schema.decode(Schema.parseJson(job.payload))
  return Layer.effect(
    handled,
    Effect.gen(function* () {
      const handlers = yield* Handlers
      const outer = yield* Effect.context<Exclude<R, Handled<Name> | Scope.Scope>>()
      const services = Context.add(outer, handled, true)
      yield* handlers.add({
        ...job,
        read: (text) =>
          Effect.map(
            decode(text),
            (payload) => (attempt: Attempt) => RequestServices.scoped(handle(payload, attempt), services)
          )
      })
      return true as const
    })
  )
}

/**
 * Says that another program has the handler: this one enqueues the job and does not run it.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { Effect, Schema } from "effect"
 * import { App } from "effect-framework"
 * import { Job, Jobs } from "effect-framework/jobs"
 * import { Respond } from "effect-framework/routes/session"
 *
 * const Brew = Job.make("brew", { payload: Schema.Struct({ tea: Schema.String }) })
 *
 * const order = Effect.as(Jobs.enqueue(Brew, { tea: "assam" }), Respond.text("Your tea comes."))
 *
 * // The kitchen is another program on the same database, and has the handler.
 * App.run({
 *   name: "Counter",
 *   pages: [HttpLayerRouter.route("POST", "/orders", order)],
 *   services: Job.layerElsewhere(Brew)
 * })
 * ```
 */
export const layerElsewhere = <Name extends string, A, I>(job: Job<Name, A, I>): Layer.Layer<Handled<Name>> =>
  Layer.succeed(handledBy(job.name), true)

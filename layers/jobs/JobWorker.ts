// The worker: claims jobs of the program's handlers, runs them under a lease, and records what became of them.
import { Cause, Clock, Data, Duration, Effect, Exit, Fiber, Layer, Option, Schedule, type Tracer } from "effect"
import { Reporters } from "../../src/errors/Reporters.ts"
import * as TraceContext from "../../src/http/internal/TraceContext.ts"
import { lease } from "../../src/jobs/internal/Defaults.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { type Handler, Handlers } from "../../src/jobs/internal/Handlers.ts"
import { isSpent, type Outcome, outcome } from "../../src/jobs/internal/JobRules.ts"
import { type Claim, JobStore, type Settled } from "../../src/jobs/internal/JobStore.ts"
import * as Tracing from "../../src/observability/internal/Tracing.ts"
import * as Crons from "./internal/Crons.ts"
import * as JobMetrics from "./internal/JobMetrics.ts"
import * as Pace from "./internal/Pace.ts"

export type { JobStore } from "../../src/jobs/internal/JobStore.ts"

/** The bounds of a queue. */
export interface QueueOptions {
  /** Jobs of this queue at once in this process; that of the worker. */
  readonly concurrency?: number
  /** Jobs of this queue at once in the whole fleet; no limit. */
  readonly fleet?: number
}

/** How many jobs run at once, and how a worker ends. */
export interface Options {
  /** Jobs at once in this process; 2. */
  readonly concurrency?: number
  readonly queues?: Readonly<Record<string, QueueOptions>>
  /** How long jobs in progress have at a stop, before they are given back; 10 seconds. */
  readonly drain?: Duration.DurationInput
  /** Begins fewer jobs while requests keep the process busy: for a process that serves; `false`. */
  readonly requestsFirst?: boolean
}

// The worker of a version without this handler gives the job to the next one.
const unknownDelay = Duration.toMillis("10 seconds")
const noHandler = "This version of the program has no handler of this name"

// Milliseconds of real time.
const mostUnlooked = 100

const anHour = Duration.toMillis("1 hour")

// The job belongs to the trace of the request that asked for it, in whatever process that was.
const spanOf = ({ attempts, id, name, traceparent }: Claim, queue: string): Tracer.SpanOptions => {
  const context = TraceContext.parse(traceparent)
  const origin = context === undefined ? undefined : TraceContext.toSpan(context)
  return {
    kind: "consumer",
    attributes: {
      "messaging.destination.name": queue,
      "messaging.message.id": id,
      "messaging.retry.count": attempts - 1,
      "job.name": name
    },
    ...(origin === undefined
      ? { root: true }
      : { parent: origin, links: [{ _tag: "SpanLink", span: origin, attributes: {} }] })
  }
}

/** The database may be away for a moment: a worker goes on when it is back. */
const tolerant = <A>(what: string, effect: Effect.Effect<A>): Effect.Effect<A> =>
  effect.pipe(
    Effect.tapErrorCause((cause) => Effect.logError(what, cause)),
    Effect.sandbox,
    Effect.retry(Schedule.union(Schedule.exponential("200 millis"), Schedule.spaced("5 seconds"))),
    Effect.orDie
  )

/** The payload is of another version; a handler may fail with a `ParseError` of its own, which is retried. */
class Unreadable extends Data.TaggedError("Unreadable") {
  override get message() {
    return "This version of the program cannot read the payload"
  }
}

/** The workers that ran it before have ended without a word. */
class WorkerLost extends Data.TaggedError("WorkerLost")<{ readonly attempts: number }> {
  override get message() {
    return `The workers of ${this.attempts} attempts were lost`
  }
}

/** A job that this worker runs. */
interface Held {
  readonly claim: Claim
  readonly queue: string
  /** A transactional one is not: on SQLite its transaction holds the only writer. */
  readonly isRenewed: boolean
  /** When its time is over. */
  readonly until: number
  /** Why the worker has interrupted it: its time was over, or another worker is to run it. */
  stopped?: "Late" | "Released"
  fiber?: Fiber.RuntimeFiber<unknown>
}

// The looks for jobs are worth no span, the jobs are.
const quiet = Effect.withTracerEnabled(false)

const make = Effect.fnUntraced(function* (
  { concurrency = 2, drain = "10 seconds", queues = {}, requestsFirst = false }: Options,
  whenEmpty: "stop" | "wait"
) {
  const store = yield* JobStore
  const handlers = yield* Handlers
  const reporters = yield* Effect.serviceOption(Reporters)
  const held = new Map<string, Held>()
  // Names without a handler, each of which is logged once.
  const unknown = new Set<string>()
  let unsettled = 0
  // Not a queue: an item that it hands to a fiber which is interrupted at that moment is lost.
  const settled: Array<Settled> = []
  const arrived = yield* Effect.makeLatch(false)
  const freed = yield* Effect.makeLatch(false)
  const holding = yield* Effect.makeLatch(false)
  const sooner = yield* Effect.makeLatch(false)
  const isTraced = yield* Tracing.isOn
  const mayBegin = requestsFirst ? yield* Pace.ofProcess : Effect.void
  // A program without handlers has nothing to look for.
  if (concurrency <= 0 || handlers.queues().length === 0) return
  const record = yield* JobMetrics.make

  const attemptOf = (handler: Handler, claim: Claim) => {
    const read = Effect.flatMap(store.open(claim), handler.read)
    const attempt = Effect.flatMap(
      Effect.mapError(read, () => new Unreadable()),
      (run) => {
        const once = run({ id: claim.id, attempt: claim.attempts })
        return handler.transactional ? store.transactional(claim, handler.erase, once) : once
      }
    )
    return isTraced ? Tracing.span(`job ${claim.name}`, spanOf(claim, handler.queue))(attempt) : attempt
  }

  const weigh = (handler: Handler, claim: Claim, cause: Cause.Cause<unknown>): Effect.Effect<Outcome> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const failure = Option.getOrUndefined(Cause.failureOption(cause))
      const result: Outcome =
        failure instanceof Unreadable
          ? // Kept for a version that can read it.
            { _tag: "Failed", reason: failure.message }
          : yield* outcome(Exit.failCause(cause), claim.attempts, now, handler.retry)
      if (result._tag === "Failed" || result._tag === "Retried") {
        yield* Effect.logWarning(`Job ${claim.name} ${claim.id}, attempt ${claim.attempts}: ${result.reason}`)
      }
      if (result._tag === "Failed" && Option.isSome(reporters)) {
        yield* reporters.value.notify(cause, { uri: `job ${claim.name}` })
      }
      return result
    })

  const settleLater = (one: Settled) => {
    unsettled++
    settled.push(one)
    arrived.unsafeOpen()
  }

  const perform = Effect.fnUntraced(function* (one: Held, now: number) {
    const { claim } = one
    const handler = handlers.find(claim.name)
    if (handler === undefined) {
      if (!unknown.has(claim.name)) {
        unknown.add(claim.name)
        yield* Effect.logWarning(`Jobs named ${claim.name} wait: ${noHandler}`)
      }
      return settleLater({
        claim,
        outcome: { _tag: "Snoozed", due: now + unknownDelay, reason: noHandler },
        erase: false
      })
    }
    // Only a loss is counted here: a failure was weighed when it happened, with the error that the schedule asks for.
    const attempt =
      claim.isAfterLoss && (yield* isSpent(handler.retry, claim.attempts, now))
        ? Effect.fail(new WorkerLost({ attempts: claim.attempts - 1 }))
        : attemptOf(handler, claim)
    const started = performance.now()
    const end = (result: Outcome) => {
      record(claim.name, result._tag, (performance.now() - started) / 1000)
      // Or it has ended in the transaction of its handler.
      if (!handler.transactional || result._tag !== "Done") {
        settleLater({ claim, outcome: result, erase: handler.erase })
      }
    }
    // A stop interrupts the attempt and still records that it was one.
    const exit = yield* Effect.exit(Effect.interruptible(attempt))
    if (Exit.isSuccess(exit)) return end({ _tag: "Done" })
    // Of effects that run side by side, the failure of one interrupts the others.
    if (one.stopped === "Released" || !Cause.isInterruptedOnly(exit.cause))
      return end(yield* weigh(handler, claim, exit.cause))
    // A handler that interrupts itself has failed: given back, it would begin again at once, for ever.
    const error = new Error(
      one.stopped === "Late"
        ? `The job ${claim.name} took longer than ${Duration.format(handler.timeout)}`
        : `The job ${claim.name} was interrupted by its own handler`
    )
    // In a fiber of its own: a report may wait with a timeout, and one that was interrupted cannot.
    return end(yield* Effect.flatMap(Effect.forkDaemon(weigh(handler, claim, Cause.fail(error))), Fiber.join))
  })

  // A daemon, which nothing but a stop, a timeout or a lost lease interrupts, since claims are uninterruptible: the end of the
  // worker waits for it first.
  const start = (claim: Claim, queue: string, now: number) => {
    const { timeout = Duration.infinity, transactional = false } = handlers.find(claim.name) ?? {}
    const one: Held = { claim, queue, isRenewed: !transactional, until: now + Duration.toMillis(timeout) }
    const end = Effect.sync(() => {
      held.delete(claim.id)
      freed.unsafeOpen()
    })
    held.set(claim.id, one)
    holding.unsafeOpen()
    if (one.until < nearest) {
      nearest = one.until
      sooner.unsafeOpen()
    }
    return Effect.map(Effect.forkDaemon(Effect.ensuring(perform(one, now), end)), (fiber) => void (one.fiber = fiber))
  }

  const interrupt = (one: Held, why: "Late" | "Released") =>
    Effect.suspend(() => {
      one.stopped ??= why
      return one.fiber === undefined ? Effect.void : Fiber.interruptFork(one.fiber)
    })

  // One watch over all of them: a timeout of its own would cost an empty job more than everything else.
  let nearest = Number.POSITIVE_INFINITY
  const timing = Effect.gen(function* () {
    yield* sooner.close
    const now = yield* Clock.currentTimeMillis
    nearest = Number.POSITIVE_INFINITY
    for (const one of held.values()) {
      if (one.stopped !== undefined) continue
      if (one.until <= now && one.fiber !== undefined) {
        yield* interrupt(one, "Late")
      } else nearest = Math.min(nearest, one.until)
    }
    const over = nearest === Number.POSITIVE_INFINITY ? Effect.never : Effect.sleep(nearest - now)
    yield* Effect.raceFirst(sooner.await, over)
  }).pipe(Effect.forever, quiet)

  const fibers = () => Array.from(held.values()).flatMap(({ fiber }) => (fiber === undefined ? [] : [fiber]))

  const freeOf = (queue: string): number => {
    const own = Array.from(held.values()).filter((one) => one.queue === queue).length
    return Math.min(concurrency - held.size, (queues[queue]?.concurrency ?? concurrency) - own)
  }

  // Another queue is first each time: one that is always full must not keep the others waiting.
  let looks = 0
  const queuesInTurn = () => {
    const all = handlers.queues()
    const first = looks++ % all.length
    return [...all.slice(first), ...all.slice(0, first)]
  }

  // Its place in the fleet is free when the end of a job is stored, and not when it ends.
  const hasFleets = Object.values(queues).some(({ fleet }) => fleet !== undefined)

  // How many were started, and whether more may be ready than there was place for.
  const claimAll = Effect.gen(function* () {
    let isFull = false
    let started = 0
    for (const queue of queuesInTurn()) {
      const free = freeOf(queue)
      if (free <= 0) {
        isFull = true
        continue
      }
      const claimed = yield* Effect.uninterruptible(
        Effect.gen(function* () {
          const all = yield* quiet(store.claim(queue, free, queues[queue]?.fleet))
          const now = yield* Clock.currentTimeMillis
          for (const claim of all) yield* start(claim, queue, now)
          return all.length
        })
      )
      started += claimed
      if (claimed === free || queues[queue]?.fleet !== undefined) isFull = true
    }
    return { isFull, started }
  })

  // When the next job is due that is not ready yet, as of the last look. What is due is found by a look at least every tenth
  // of a second: a full worker asks the database for nothing but jobs.
  let due = 0
  let looked = 0
  const look = Effect.gen(function* () {
    looked = performance.now()
    const work = yield* quiet(store.look(handlers.queues()))
    due = work.due
    return work.isReady
  })

  // What is committed is rarely a job: a claim writes, and a look does not.
  const news = Effect.gen(function* () {
    for (;;) {
      if (yield* store.changed) return
      const known = due
      const isReady = yield* look
      // Also when it is due by now: a clock that was set, or no timer for so long a time.
      if (isReady || due !== known || due <= (yield* Clock.currentTimeMillis)) return
    }
  })

  // The next round is when something changes, when a place becomes free that somebody waits for, or when a job is due.
  const loop = Effect.gen(function* () {
    for (;;) {
      yield* mayBegin
      yield* freed.close
      const wasIdle = held.size === 0 && unsettled === 0
      if (due <= (yield* Clock.currentTimeMillis)) {
        due = Number.POSITIVE_INFINITY
        yield* quiet(store.promote)
      }
      const { isFull, started } = yield* claimAll
      if (!isFull || started === 0 || performance.now() - looked > mostUnlooked) yield* look
      const rest = due - (yield* Clock.currentTimeMillis)
      if (whenEmpty === "stop" && wasIdle && started === 0 && rest > 0) return
      // Nothing can be started before a place is free.
      if (held.size >= concurrency) {
        yield* freed.await
        continue
      }
      const later = rest === Number.POSITIVE_INFINITY ? Effect.never : Effect.sleep(Math.max(0, rest))
      yield* Effect.raceAll([news, later, isFull || whenEmpty === "stop" ? freed.await : Effect.never])
    }
  })

  const settleSome = Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      yield* restore(arrived.await)
      yield* arrived.close
      const some = settled.splice(0)
      // A stop does not wait for the database: what it could not store is tried once more at the end.
      const lost = yield* restore(tolerant("Jobs cannot be settled", Effect.uninterruptible(store.settle(some)))).pipe(
        Effect.onInterrupt(() => Effect.sync(() => void settled.unshift(...some)))
      )
      unsettled -= some.length
      if (whenEmpty === "stop" || hasFleets) yield* freed.open
      if (lost.length > 0) yield* Effect.logWarning(`The lease of ${lost.length} jobs was lost: they run again`)
    })
  )
  const settling = quiet(Effect.forever(settleSome))

  const renewing = Effect.gen(function* () {
    if (held.size === 0) yield* holding.close
    // Nothing is held for as long as nothing is started.
    yield* holding.await
    yield* Effect.sleep(Duration.times(lease, 1 / 3))
    const renewed = Array.from(held.values()).flatMap(({ claim, isRenewed }) => (isRenewed ? [claim] : []))
    if (renewed.length === 0) return
    // Another worker has it by now: two must not run it to its end.
    for (const id of yield* store.renew(renewed)) {
      const one = held.get(id)
      if (one !== undefined) yield* interrupt(one, "Released")
    }
  }).pipe(
    Effect.catchAllCause((cause) => Effect.logError("The leases of jobs cannot be renewed", cause)),
    Effect.forever,
    quiet
  )

  const { sweep } = yield* Jobs
  // The tick of an hour belongs to one process of the fleet, as those of periodic jobs do.
  const sweeping = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (yield* store.tick("jobs.sweep", now - (now % anHour), [])) yield* sweep
  }).pipe(
    Effect.catchAllCause((cause) => Effect.logError("Jobs that ended long ago cannot be deleted", cause)),
    Effect.repeat(Schedule.spaced("1 hour")),
    quiet
  )

  // In the order of the scope: these end after everything was given back, the settling last. Until then leases are renewed.
  const settler = yield* Effect.forkScoped(settling)
  yield* Effect.forkScoped(renewing)
  yield* Effect.forkScoped(timing)
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      // By real time: a program stops although a test has stopped its clock.
      const ended = Effect.withClock(Effect.timeoutOption(Fiber.awaitAll(fibers()), drain), Clock.make())
      // In a fiber of its own: one that was interrupted can wait for nothing with a timeout any more.
      yield* Effect.flatMap(Effect.forkDaemon(Effect.interruptible(ended)), Fiber.join)
      const left = fibers()
      yield* Effect.forEach(held.values(), (one) => interrupt(one, "Released"), { discard: true })
      yield* Fiber.awaitAll(left)
      yield* Fiber.interrupt(settler)
      if (settled.length > 0) yield* Effect.orDie(store.settle(settled.splice(0)))
    }).pipe(Effect.catchAllCause((cause) => Effect.logError("Jobs could not be given back", cause)))
  )
  yield* store.listen
  const crons = yield* Crons.make
  // The ticks that are due are among the jobs of the first look.
  yield* crons.round
  yield* Effect.forkScoped(crons.rest)
  yield* Effect.forkScoped(sweeping)
  if (whenEmpty === "stop") yield* loop
  else yield* Effect.forkScoped(tolerant("Jobs cannot be claimed", loop))
})

/** Runs the jobs of the program's handlers, which are layers below this one, until its scope closes. */
export const layer = (options: Options = {}) => Layer.scopedDiscard(make(options, "wait"))

/**
 * Runs what is ready and due, and what that enqueues, until there is nothing left that this worker may start.
 *
 * @example
 * ```ts
 * import { Effect, Layer, Schema } from "effect"
 * import { Job } from "effect-framework/jobs"
 * import { Database, Migrations } from "effect-framework/layers/database"
 * import { JobWorker, SqlJobs } from "effect-framework/layers/jobs"
 *
 * const Brew = Job.make("brew", { payload: Schema.Struct({ tea: Schema.String }) })
 *
 * const handlers = Job.toLayer(Brew, ({ tea }) => Effect.log(`brewing ${tea}`))
 *
 * const database = Layer.provideMerge(Migrations.layer, Database.layerConfig)
 *
 * // For a machine that is started now and then: it runs what has waited, and ends.
 * export const program = JobWorker.untilIdle({ concurrency: 4 }).pipe(
 *   Effect.provide(handlers.pipe(Layer.provideMerge(SqlJobs.layer), Layer.provideMerge(database)))
 * )
 * ```
 */
export const untilIdle = (options: Options = {}) => Effect.scoped(make(options, "stop"))

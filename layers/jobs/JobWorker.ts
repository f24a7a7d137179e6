// The worker: claims jobs of the program's handlers, runs them under a lease, and records what became of them.
import { Cause, Clock, Data, Duration, Effect, Exit, Fiber, Layer, Option, Queue, Schedule } from "effect"
import type { Tracer } from "effect"
import { Reporters } from "../../src/errors/Reporters.ts"
import * as TraceContext from "../../src/http/internal/TraceContext.ts"
import { lease } from "../../src/jobs/Job.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { type Handler, Handlers } from "../../src/jobs/internal/Handlers.ts"
import { type Outcome, outcome } from "../../src/jobs/internal/JobRules.ts"
import { type Claim, JobStore, type Settled } from "../../src/jobs/internal/JobStore.ts"
import * as Tracing from "../../src/observability/internal/Tracing.ts"
import * as Crons from "./internal/Crons.ts"
import * as JobMetrics from "./internal/JobMetrics.ts"

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
}

// The worker of a version without this handler gives the job to the next one.
const unknownDelay = Duration.toMillis("10 seconds")

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
class Unreadable extends Data.TaggedError("Unreadable") {}

/** A job that this worker runs. */
interface Held {
  readonly claim: Claim
  readonly queue: string
  /** A transactional one is not: on SQLite its transaction holds the only writer. */
  readonly isRenewed: boolean
  fiber?: Fiber.RuntimeFiber<unknown>
}

const make = Effect.fnUntraced(function* ({ concurrency = 2, drain = "10 seconds", queues = {} }: Options) {
  const store = yield* JobStore
  const handlers = yield* Handlers
  const reporters = yield* Effect.serviceOption(Reporters)
  const held = new Map<string, Held>()
  const settled = yield* Queue.unbounded<Settled>()
  const freed = yield* Effect.makeLatch(false)
  const holding = yield* Effect.makeLatch(false)
  // A program without handlers has nothing to look for.
  if (concurrency <= 0 || handlers.queues().length === 0) return
  const record = yield* JobMetrics.make

  const attemptOf = (handler: Handler, claim: Claim) =>
    Effect.flatMap(
      Effect.mapError(handler.read(claim.payload), () => new Unreadable()),
      (run) => {
        const attempt = run({ id: claim.id, attempt: claim.attempts }).pipe(
          Effect.timeoutFail({
            duration: handler.timeout,
            onTimeout: () => new Error(`The job ${claim.name} took longer than ${Duration.format(handler.timeout)}`)
          })
        )
        return handler.transactional ? store.transactional(claim, handler.erase, attempt) : attempt
      }
    ).pipe(Tracing.span(`job ${claim.name}`, spanOf(claim, handler.queue)))

  const weigh = (handler: Handler, claim: Claim, exit: Exit.Exit<unknown, unknown>): Effect.Effect<Outcome> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const failure = Exit.isFailure(exit) ? Cause.failureOption(exit.cause) : Option.none()
      // Kept for a version that can read it.
      if (Option.exists(failure, (error) => error instanceof Unreadable)) {
        return { _tag: "Failed", reason: "This version of the program cannot read the payload" }
      }
      const result = yield* outcome(exit, claim.attempts, now, handler.retry)
      if (result._tag === "Failed" || result._tag === "Retried") {
        yield* Effect.logWarning(`Job ${claim.name} ${claim.id}, attempt ${claim.attempts}: ${result.reason}`)
      }
      if (result._tag === "Failed" && Option.isSome(reporters) && Exit.isFailure(exit)) {
        yield* reporters.value.notify(exit.cause, { uri: `job ${claim.name}` })
      }
      return result
    })

  const perform = Effect.fnUntraced(function* (claim: Claim) {
    const handler = handlers.find(claim.name)
    if (handler === undefined) {
      const due = (yield* Clock.currentTimeMillis) + unknownDelay
      return yield* Queue.offer(settled, { claim, outcome: { _tag: "Snoozed", due }, erase: false })
    }
    // A stop interrupts the attempt and still records that it was one.
    const started = performance.now()
    const exit = yield* Effect.exit(Effect.interruptible(attemptOf(handler, claim)))
    const result = yield* weigh(handler, claim, exit)
    record(claim.name, result._tag, (performance.now() - started) / 1000)
    // It ended in the transaction of its handler.
    if (handler.transactional && result._tag === "Done") return true
    return yield* Queue.offer(settled, { claim, outcome: result, erase: handler.erase })
  })

  // A daemon: the end of the worker waits for it first.
  const start = (claim: Claim, queue: string) => {
    const one: Held = { claim, queue, isRenewed: handlers.find(claim.name)?.transactional !== true }
    const end = Effect.zipRight(
      Effect.sync(() => held.delete(claim.id)),
      freed.open
    )
    held.set(claim.id, one)
    const forked = Effect.forkDaemon(Effect.ensuring(Effect.uninterruptible(perform(claim)), end))
    return Effect.zipRight(
      holding.open,
      Effect.map(forked, (fiber) => void (one.fiber = fiber))
    )
  }

  const fibers = () => Array.from(held.values()).flatMap(({ fiber }) => (fiber === undefined ? [] : [fiber]))

  const freeOf = (queue: string): number => {
    const own = Array.from(held.values()).filter((one) => one.queue === queue).length
    return Math.min(concurrency - held.size, (queues[queue]?.concurrency ?? concurrency) - own)
  }

  // Whether more may be ready than there was place for.
  const claimAll = Effect.gen(function* () {
    let isFull = false
    for (const queue of handlers.queues()) {
      const free = freeOf(queue)
      if (free <= 0) {
        isFull = true
        continue
      }
      const claimed = yield* Effect.uninterruptible(
        Effect.tap(store.claim(queue, free, queues[queue]?.fleet), (all) =>
          Effect.forEach(all, (claim) => start(claim, queue), { discard: true })
        )
      )
      if (claimed.length === free) isFull = true
    }
    return isFull
  })

  // The next look is when something changes, when a place becomes free that somebody waits for, or when a job is due.
  const loop = Effect.gen(function* () {
    for (;;) {
      yield* store.promote
      yield* freed.close
      const isFull = yield* claimAll
      const due = yield* store.nextDue
      const now = yield* Clock.currentTimeMillis
      const later = Option.match(due, {
        onNone: () => Effect.never,
        onSome: (at) => Effect.sleep(Math.max(0, at - now))
      })
      yield* Effect.raceAll([store.changed, later, isFull ? freed.await : Effect.never])
    }
  }).pipe(Effect.withTracerEnabled(false))

  const settleSome = Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const some = Array.from(yield* restore(Queue.takeBetween(settled, 1, 1000)))
      const lost = yield* tolerant("Jobs cannot be settled", store.settle(some))
      if (lost.length > 0) yield* Effect.logWarning(`The lease of ${lost.length} jobs was lost: they run again`)
    })
  )
  const settling = Effect.withTracerEnabled(Effect.forever(settleSome), false)

  const renewing = Effect.gen(function* () {
    if (held.size === 0) yield* holding.close
    // Nothing is held for as long as nothing is started.
    yield* holding.await
    yield* Effect.sleep(Duration.times(lease, 1 / 3))
    const renewed = Array.from(held.values()).flatMap(({ claim, isRenewed }) => (isRenewed ? [claim] : []))
    if (renewed.length === 0) return
    // Another worker has it by now: two must not run it to its end.
    for (const id of yield* store.renew(renewed)) {
      const { fiber } = held.get(id) ?? {}
      if (fiber !== undefined) yield* Fiber.interruptFork(fiber)
    }
  }).pipe(
    Effect.catchAllCause((cause) => Effect.logError("The leases of jobs cannot be renewed", cause)),
    Effect.forever,
    Effect.withTracerEnabled(false)
  )

  const { sweep } = yield* Jobs
  const sweeping = sweep.pipe(
    Effect.catchAllCause((cause) => Effect.logError("Jobs that ended long ago cannot be deleted", cause)),
    Effect.repeat(Schedule.spaced("1 hour")),
    Effect.withTracerEnabled(false)
  )

  // In the order of the scope: the settling ends last, after everything was given back.
  const settler = yield* Effect.forkScoped(settling)
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      // By real time: a program stops although a test has stopped its clock. A finalizer is not interruptible by itself.
      const ended = Effect.interruptible(Effect.timeoutOption(Fiber.awaitAll(fibers()), drain))
      yield* Effect.withClock(ended, Clock.make())
      yield* Fiber.interruptAll(fibers())
      yield* Fiber.interrupt(settler)
      const rest = Array.from(yield* Queue.takeAll(settled))
      if (rest.length > 0) yield* Effect.orDie(store.settle(rest))
    }).pipe(Effect.catchAllCause((cause) => Effect.logError("Jobs could not be given back", cause)))
  )
  yield* store.listen
  yield* Effect.forkScoped(renewing)
  yield* Effect.forkScoped(Crons.run)
  yield* Effect.forkScoped(sweeping)
  yield* Effect.forkScoped(tolerant("Jobs cannot be claimed", loop))
})

/** Runs the jobs of the program's handlers, which are layers below this one, until its scope closes. */
export const layer = (options: Options = {}) => Layer.scopedDiscard(make(options))

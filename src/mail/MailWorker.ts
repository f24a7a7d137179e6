// The queue's runner: takes a letter, hands it over, writes down what became of it, until there is none or it is told
// to stop.
import { Effect, Fiber, Option, Schedule } from "effect"
import { Mailer, MailDeliveryError } from "./Mailer.ts"
import { deliveryTimeout, type Claim, MailQueue } from "./MailQueue.ts"

/** What became of one letter. */
export type Outcome = "Sent" | "Delayed" | "Failed" | "Lost"

/** When the runner ends, how many letters it sends at a time, and who hears of each. */
export interface Options {
  /** `ends` when nothing is ready, or `waits` for more. */
  readonly drained: "ends" | "waits"
  /** Letters on their way at a time. */
  readonly concurrency: number
  readonly observe: (outcome: Outcome) => Effect.Effect<void>
}

const pause = "1 second"

// A letter that is out and still listed would go out again: the database gets a few chances to hear of it. After
// them the lease decides.
const insist = <A>(effect: Effect.Effect<A>): Effect.Effect<A> =>
  effect.pipe(
    Effect.sandbox,
    Effect.retry({ times: 4, schedule: Schedule.exponential("200 millis") }),
    Effect.catchAll(Effect.failCause)
  )

const handOver = Effect.fnUntraced(function* (claim: Claim) {
  const mailer = yield* Mailer
  return yield* mailer.send(claim.message, { id: claim.id }).pipe(
    Effect.timeoutFail({
      duration: deliveryTimeout,
      onTimeout: () => new MailDeliveryError({ reason: "the delivery took too long" })
    }),
    Effect.catchAllDefect(() => Effect.fail(new MailDeliveryError({ reason: "the mailer broke" }))),
    Effect.as(Option.none<string>()),
    Effect.catchAll((error) => Effect.succeed(Option.some(error.reason)))
  )
})

const settle = Effect.fnUntraced(function* (claim: Claim, failure: Option.Option<string>) {
  const queue = yield* MailQueue
  if (Option.isNone(failure)) {
    yield* insist(queue.sent(claim))
    return "Sent"
  }
  const verdict = yield* insist(queue.failed(claim, failure.value))
  yield* Effect.logWarning(`Letter ${claim.id}, attempt ${claim.attempts + 1}: ${failure.value}`)
  return Option.match(verdict, {
    onNone: () => "Lost" as const,
    onSome: (verdict) => (verdict._tag === "Again" ? ("Delayed" as const) : ("Failed" as const))
  })
})

const turn = Effect.gen(function* () {
  const claim = yield* Effect.flatMap(MailQueue, (queue) => queue.claim)
  if (Option.isNone(claim)) return Option.none<Outcome>()
  return Option.some<Outcome>(yield* settle(claim.value, yield* handOver(claim.value)))
})

/**
 * One letter from claim to verdict. A stop waits for the letter in hand: it is on a fiber of its own, since the
 * interruption of a fiber reaches its children and would reach the delivery.
 */
export const deliverOne: Effect.Effect<Option.Option<Outcome>, never, Mailer | MailQueue> = Effect.uninterruptible(
  Effect.flatMap(Effect.forkDaemon(Effect.interruptible(turn)), Fiber.join)
)

/** Delivers until the queue is drained, or for ever. */
export const run = Effect.fnUntraced(function* (options: Options) {
  const waits = options.drained === "waits"
  // Observed before a stop takes effect: the letter in hand is counted too.
  const observed = Effect.uninterruptible(
    Effect.tap(deliverOne, (outcome) => (Option.isSome(outcome) ? options.observe(outcome.value) : Effect.void))
  )
  // A database that is away for a while does not end a runner that waits.
  const patient = Effect.catchAllDefect(observed, (defect) =>
    Effect.logError("The mail queue cannot be read", defect).pipe(
      Effect.zipRight(Effect.sleep("5 seconds")),
      Effect.as(Option.none<Outcome>())
    )
  )
  const lane = Effect.gen(function* () {
    for (;;) {
      if (Option.isSome(yield* waits ? patient : observed)) continue
      if (!waits) return
      yield* Effect.sleep(pause)
    }
  })
  const lanes = Array.from({ length: options.concurrency }, () => lane)
  yield* Effect.all(lanes, { concurrency: "unbounded", discard: true })
})

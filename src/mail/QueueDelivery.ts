// The delivery of one queued message, from its claim to the recorded outcome.
import { Effect, Fiber, Option, Schedule } from "effect"
import { Mailer, MailDeliveryError } from "./Mailer.ts"
import { type DeliveryOutcome, MailQueue } from "./MailQueue.ts"
import type { Claim } from "./QueuedMessage.ts"
import { deliveryTimeout } from "./RetryPolicy.ts"

// A message that was sent but not recorded as sent is sent again: recording is retried. After that, the message is
// claimed again when its lease expires.
const retryDefects = <A>(effect: Effect.Effect<A>): Effect.Effect<A> =>
  effect.pipe(
    Effect.sandbox,
    Effect.retry({ times: 4, schedule: Schedule.exponential("200 millis") }),
    Effect.catchAll(Effect.failCause)
  )

const send = Effect.fnUntraced(function* (claim: Claim) {
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

const record = Effect.fnUntraced(function* (claim: Claim, failure: Option.Option<string>) {
  const queue = yield* MailQueue
  if (Option.isNone(failure)) {
    yield* retryDefects(queue.markSent(claim))
    return "Sent"
  }
  const decision = yield* retryDefects(queue.markFailed(claim, failure.value))
  yield* Effect.logWarning(`Message ${claim.id}, attempt ${claim.attempts + 1}: ${failure.value}`)
  return Option.match(decision, {
    onNone: () => "Lost" as const,
    onSome: ({ _tag }) => (_tag === "Retry" ? ("Delayed" as const) : ("Failed" as const))
  })
})

const claimAndSend = Effect.gen(function* () {
  const claim = yield* Effect.flatMap(MailQueue, (queue) => queue.claim)
  if (Option.isNone(claim)) return Option.none<DeliveryOutcome>()
  return Option.some<DeliveryOutcome>(yield* record(claim.value, yield* send(claim.value)))
})

/**
 * Delivers one message; `None` when none is ready. An interruption waits for the delivery in progress: it runs on a
 * daemon fiber, because an interruption also reaches child fibers.
 */
export const deliverOne: Effect.Effect<
  Option.Option<DeliveryOutcome>,
  never,
  Mailer | MailQueue
> = Effect.uninterruptible(Effect.flatMap(Effect.forkDaemon(Effect.interruptible(claimAndSend)), Fiber.join))

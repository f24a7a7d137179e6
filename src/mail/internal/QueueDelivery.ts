// The delivery of one queued message, from its claim to the recorded outcome.
import { Effect, Fiber, Option, Schedule, type Tracer } from "effect"
import * as TraceContext from "../../http/internal/TraceContext.ts"
import * as Tracing from "../../observability/internal/Tracing.ts"
import { MailDeliveryError, Mailer } from "../Mailer.ts"
import { type DeliveryOutcome, MailQueue } from "../MailQueue.ts"
import { type Claim, deliveryTimeout } from "./QueuedMessage.ts"

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

// The delivery belongs to the trace of the request that asked for the message, in whatever process that was.
const spanOf = ({ attempts, id, traceparent }: Claim): Tracer.SpanOptions => {
  const context = TraceContext.parse(traceparent)
  const origin = context === undefined ? undefined : TraceContext.toSpan(context)
  return {
    kind: "consumer",
    attributes: { "messaging.destination.name": "mail", "messaging.message.id": id, "messaging.retry.count": attempts },
    ...(origin === undefined
      ? { root: true }
      : { parent: origin, links: [{ _tag: "SpanLink", span: origin, attributes: {} }] })
  }
}

const deliver = (claim: Claim) =>
  Effect.flatMap(send(claim), (failure) => record(claim, failure)).pipe(
    Effect.tap((outcome) => Effect.annotateCurrentSpan("messaging.outcome", outcome)),
    Tracing.span("MailQueue.deliver", spanOf(claim))
  )

const claimAndSend = Effect.gen(function* () {
  // A worker polls every second: only what it finds is worth a span.
  const claim = yield* Effect.flatMap(MailQueue, (queue) => Effect.withTracerEnabled(queue.claim, false))
  if (Option.isNone(claim)) return Option.none<DeliveryOutcome>()
  return Option.some<DeliveryOutcome>(yield* deliver(claim.value))
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

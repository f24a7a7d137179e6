// The queue's worker: claims messages, sends them and records the outcome, until the queue is empty or it is stopped.
import { Effect, Option } from "effect"
import type { DeliveryOutcome } from "./MailQueue.ts"
import { deliverOne } from "./internal/QueueDelivery.ts"

/** When the worker ends, how many messages it sends at a time, and a callback for each outcome. */
interface Options {
  /** `stop` when no message is ready, or `wait` for more. */
  readonly whenEmpty: "stop" | "wait"
  /** Deliveries at a time. */
  readonly concurrency: number
  readonly onOutcome: (outcome: DeliveryOutcome) => Effect.Effect<void>
}

const pollInterval = "1 second"

/** Sends messages until the queue is empty, or forever. An interruption waits for the deliveries in progress. */
export const run = Effect.fnUntraced(function* (options: Options) {
  const waits = options.whenEmpty === "wait"
  // Uninterruptible, so that the outcome of a delivery in progress is still reported on a stop.
  const observed = Effect.uninterruptible(
    Effect.tap(deliverOne, (outcome) => (Option.isSome(outcome) ? options.onOutcome(outcome.value) : Effect.void))
  )
  // A temporary outage of the database does not end a worker that waits.
  const tolerant = Effect.catchAllDefect(observed, (defect) =>
    Effect.logError("The mail queue cannot be read", defect).pipe(
      Effect.zipRight(Effect.sleep("5 seconds")),
      Effect.as(Option.none<DeliveryOutcome>())
    )
  )
  const loop = Effect.gen(function* () {
    for (;;) {
      if (Option.isSome(yield* waits ? tolerant : observed)) continue
      if (!waits) return
      yield* Effect.sleep(pollInterval)
    }
  })
  const loops = Array.from({ length: options.concurrency }, () => loop)
  yield* Effect.all(loops, { concurrency: "unbounded", discard: true })
})

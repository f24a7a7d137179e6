// The queue's time limits: the lease of a claim, the timeout of a delivery, the retries after a failure.
import { Data, Duration } from "effect"
import type { RetryDecision } from "./QueuedMessage.ts"

/** How long a claimed message belongs to its worker. When a worker is killed, another one claims it after this. */
export const lease = Duration.seconds(60)

/** The timeout of one delivery. Shorter than the lease, or a second worker would send the same message. */
export const deliveryTimeout = Duration.seconds(45)

/** A message that failed this often is kept and listed, and retried only on request. */
export const maxAttempts = 3

/** The delay after the first failure; four times as long after the second. */
export const firstRetryDelay = Duration.seconds(30)

export const { Retry, GiveUp } = Data.taggedEnum<RetryDecision>()

/** The decision for a message that failed `attempts` times before and has just failed again. */
export const decideRetry = (attempts: number, now: number): RetryDecision =>
  attempts + 1 >= maxAttempts ? GiveUp() : Retry({ due: now + Duration.toMillis(firstRetryDelay) * 4 ** attempts })

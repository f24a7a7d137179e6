// A message in the queue: its lease, the timeout of a delivery, and the retries after a failure.
import { Data, Duration } from "effect"
import type { MailMessage } from "../MailMessage.ts"

/** One message, leased to one worker. */
export interface Claim {
  readonly id: string
  /** Fresh for each claim, so that a worker whose lease expired cannot settle the claim of the next worker. */
  readonly leaseToken: string
  /** Failed attempts before this one. */
  readonly attempts: number
  readonly message: MailMessage
  /** The span that asked for the message, in the format of W3C Trace Context. */
  readonly traceparent?: string
}

/** A message that failed for good, without its address and its text. */
export interface FailedMessage {
  readonly id: string
  readonly attempts: number
  /** Milliseconds since the epoch. */
  readonly failedAt: number
  readonly reason: string
}

/** The number of messages in each state. */
export interface Counts {
  readonly ready: number
  /** Waiting for another attempt, or leased to a worker. */
  readonly delayed: number
  /** The delayed messages that are leased to a worker. */
  readonly leased: number
  readonly failed: number
}

/** What happens to a message after a failed attempt: another attempt at `due`, or none. */
export type RetryDecision = Data.TaggedEnum<{
  /** `due` is in milliseconds since the epoch. */
  Retry: { readonly due: number }
  GiveUp: {}
}>

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

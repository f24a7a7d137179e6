// A message in the queue, and what a worker decides about it.
import type { Data } from "effect"
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

// The mail queue: messages are stored in the database, sent at least once, and deleted once sent.
import { Context, type Duration, type Effect, type Option } from "effect"
import type { MailMessage } from "./MailMessage.ts"
import type { Claim, Counts, FailedMessage, RetryDecision } from "./internal/QueuedMessage.ts"

export type { Claim, Counts, FailedMessage } from "./internal/QueuedMessage.ts"

/** The outcome of one delivery. `Lost`: the lease expired, and another worker has the message. */
export type DeliveryOutcome = "Sent" | "Delayed" | "Failed" | "Lost"

/** Stores, leases and settles messages. A message is leased to one worker at a time; an expired lease frees it. */
export class MailQueue extends Context.Tag("effect-framework/mail/MailQueue")<
  MailQueue,
  {
    /** Stores the message in the caller's transaction and returns its id. */
    readonly enqueue: (message: MailMessage) => Effect.Effect<string>
    /** Runs `make` and stores its message in the same transaction. */
    readonly enqueueFrom: <E, R>(make: Effect.Effect<MailMessage, E, R>) => Effect.Effect<string, E, R>
    /** Leases the message that has been ready the longest. */
    readonly claim: Effect.Effect<Option.Option<Claim>>
    /** Deletes the message, its text included. */
    readonly markSent: (claim: Claim) => Effect.Effect<void>
    /** Records a failed attempt and decides about the next one; `None` when the lease was lost in the meantime. */
    readonly markFailed: (claim: Claim, reason: string) => Effect.Effect<Option.Option<RetryDecision>>
    readonly counts: Effect.Effect<Counts>
    /** How long the oldest of the ready messages has been ready; zero when none is. */
    readonly oldestAge?: Effect.Effect<Duration.Duration>
    /** The messages that failed for good, oldest first. */
    readonly failures: Effect.Effect<ReadonlyArray<FailedMessage>>
    /** Makes every failed message ready again and returns how many there were. */
    readonly retryFailed: Effect.Effect<number>
  }
>() {}

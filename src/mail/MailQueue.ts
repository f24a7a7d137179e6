// Letters that wait in the database: stored with what they speak of, sent at least once, gone when sent.
import { Context, Data, Duration, type Effect, type Option } from "effect"
import type { MailMessage } from "./MailMessage.ts"

/** How long a claimed letter belongs to its runner. A runner that was killed leaves it to the next after this. */
export const lease = Duration.seconds(60)

/** What a runner gives one delivery: less than the lease, or a second runner would send the same letter meanwhile. */
export const deliveryTimeout = Duration.seconds(45)

/** A letter that failed this often is kept and listed, and not tried again by itself. */
export const maxAttempts = 3

/** The wait after the first failure; four times as long after the second. */
export const firstRetryDelay = Duration.seconds(30)

/** One letter in the hands of one runner. */
export interface Claim {
  readonly id: string
  /** Fresh for each claim, so that a runner which lost its lease cannot speak for the next one. */
  readonly leaseToken: string
  /** Failures before this try. */
  readonly attempts: number
  readonly message: MailMessage
}

/** A letter that was given up, without its address and its text. */
export interface Failed {
  readonly id: string
  readonly attempts: number
  /** Milliseconds of the epoch. */
  readonly since: number
  readonly reason: string
}

/** How many letters there are in each state. */
export interface Counts {
  readonly ready: number
  /** Waiting for another try, or in the hands of a runner. */
  readonly delayed: number
  /** Those of the delayed that a runner holds. */
  readonly held: number
  readonly failed: number
}

/** Stores, claims and settles letters; one claim at a time holds a letter, and a lost one comes back. */
export class MailQueue extends Context.Tag("effect-framework/mail/MailQueue")<
  MailQueue,
  {
    /** Stores the letter in the transaction of the caller; its id. */
    readonly store: (letter: MailMessage) => Effect.Effect<string>
    /** Stores what `make` makes, in one transaction with what `make` writes. */
    readonly storeFrom: <E, R>(make: Effect.Effect<MailMessage, E, R>) => Effect.Effect<string, E, R>
    /** The letter that waits longest, for this caller alone until the lease ends. */
    readonly claim: Effect.Effect<Option.Option<Claim>>
    /** The letter is out: nothing of it is kept. */
    readonly sent: (claim: Claim) => Effect.Effect<void>
    /** The try went wrong. What becomes of the letter; nothing when the lease was lost meanwhile. */
    readonly failed: (claim: Claim, reason: string) => Effect.Effect<Option.Option<RetryDecision>>
    readonly counts: Effect.Effect<Counts>
    /** The letters that were given up, the oldest first. */
    readonly failures: Effect.Effect<ReadonlyArray<Failed>>
    /** Puts every failed letter back as if it were new; how many. */
    readonly retry: Effect.Effect<number>
  }
>() {}

/** What becomes of a letter that failed: another try at `due`, or none. */
export type RetryDecision = Data.TaggedEnum<{
  /** Milliseconds of the epoch. */
  Again: { readonly due: number }
  GivenUp: {}
}>

/** The two verdicts as constructors. */
export const { Again: Retry, GivenUp: GiveUp } = Data.taggedEnum<RetryDecision>()

/** What becomes of a letter that failed `attempts` times before and has just failed again. */
export const decideRetry = (attempts: number, now: number): RetryDecision =>
  attempts + 1 >= maxAttempts ? GiveUp() : Retry({ due: now + Duration.toMillis(firstRetryDelay) * 4 ** attempts })

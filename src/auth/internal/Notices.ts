// Messages about changes of an account, kept until they are sent: a worker that is killed hides none of them.
import { Context, Duration, type Effect, type Redacted } from "effect"
import type { MailMessage } from "../../mail/MailMessage.ts"
import type { Mailer } from "../../mail/Mailer.ts"
import type { AccountId } from "../../session/Identity.ts"

/** How long changes are collected for one message. With the ten minutes between two sweeps it is sent within the hour. */
export const collected = Duration.minutes(45)

/** How long a message belongs to the worker that sends it: then another one tries. */
export const lease = Duration.minutes(10)

/** How long a message that cannot be sent is tried again. */
export const kept = Duration.days(1)

/** One more change for the message that collects them. */
export interface Change<E, R> {
  readonly user: AccountId
  readonly to: string
  readonly line: string
  /** The token of the link, minted with the first change that the message has. */
  readonly mint: Effect.Effect<Redacted.Redacted, E, R>
  readonly compose: (changes: ReadonlyArray<string>, token: Redacted.Redacted) => Effect.Effect<MailMessage, E, R>
}

/** Keeps messages until they are sent, each by one worker at a time. */
export class Notices extends Context.Tag("effect-framework/auth/Notices")<
  Notices,
  {
    /** Stores a message that is due, in the caller's transaction; returns its id. */
    readonly add: (message: MailMessage) => Effect.Effect<string>
    /** Adds a change to the message that collects those of the account for this recipient, in the caller's transaction. */
    readonly collect: <E, R>(change: Change<E, R>) => Effect.Effect<void, E, R>
    /** Sends the message of this id, unless another worker has. */
    readonly send: (id: string) => Effect.Effect<void, never, Mailer>
    /** Sends what is due; returns how many. After a failure the rest waits for the next time. */
    readonly sendDue: Effect.Effect<number, never, Mailer>
    /** Deletes messages that could not be sent for a day; returns how many. */
    readonly sweep: Effect.Effect<number>
  }
>() {}

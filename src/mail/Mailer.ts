// Mail leaves here: one service, whatever lane carries it.
import { Context, Effect, Schema } from "effect"
import { InvalidAddress, type MailMessage } from "./MailMessage.ts"

/** The letter could not be handed over. The reason never holds the address, the link or a server's own words. */
export class MailDeliveryError extends Schema.TaggedError<MailDeliveryError>("effect-framework/mail/MailDeliveryError")(
  "MailDeliveryError",
  {
    reason: Schema.String
  }
) {
  override get message(): string {
    return `The letter was not delivered: ${this.reason}`
  }
}

interface Sending {
  /** Names the letter for good; a fresh name when there is none. */
  readonly id?: string
}

/** Sends letters by whatever lane was provided: files, SMTP, or the queue. */
export class Mailer extends Context.Tag("effect-framework/mail/Mailer")<
  Mailer,
  {
    /** Hands one letter over. With a queue it is stored in the transaction of the caller. */
    readonly send: (letter: MailMessage, sending?: Sending) => Effect.Effect<void, MailDeliveryError>
    /**
     * Makes a letter and hands it over. With a queue, what the making wrote (a token, say) and the letter are stored
     * together or not at all; without one the letter goes out once the making is done, outside any transaction.
     */
    readonly sendFrom: <E, R>(make: Effect.Effect<MailMessage, E, R>) => Effect.Effect<void, E | MailDeliveryError, R>
  }
>() {}

/** A mailer that hands letters over at once. */
export const direct = (send: (letter: MailMessage, sending?: Sending) => Effect.Effect<void, MailDeliveryError>) =>
  Mailer.of({ send, sendFrom: (make) => Effect.flatMap(make, (letter) => send(letter)) })

const isMailFailure = (error: unknown): error is MailDeliveryError | InvalidAddress =>
  error instanceof MailDeliveryError || error instanceof InvalidAddress

/** Sends what `make` makes; a letter that cannot be delivered is logged and never changes the caller's answer. */
export const post = <E, R>(
  make: Effect.Effect<MailMessage, E, R>
): Effect.Effect<void, Exclude<E, MailDeliveryError | InvalidAddress>, Mailer | R> =>
  Effect.flatMap(Mailer, (mailer) => mailer.sendFrom(make)).pipe(
    Effect.catchAll((error) =>
      isMailFailure(error)
        ? Effect.logWarning(error.message)
        : Effect.fail(error as Exclude<E, MailDeliveryError | InvalidAddress>)
    )
  )

// The service that sends mail, independent of the transport.
import { Context, Effect, Schema } from "effect"
import * as Tracing from "../observability/internal/Tracing.ts"
import { InvalidAddress, type MailMessage } from "./MailMessage.ts"

/** The message was not delivered. The reason never contains the address, the link or the server's own text. */
export class MailDeliveryError extends Schema.TaggedError<MailDeliveryError>("effect-framework/mail/MailDeliveryError")(
  "MailDeliveryError",
  {
    reason: Schema.String
  }
) {
  override get message(): string {
    return `The message was not delivered: ${this.reason}`
  }
}

/** Options of one `send`. */
export interface SendOptions {
  /** The left part of the `Message-ID`; random by default. */
  readonly id?: string
}

/** Sends messages over the transport that was provided: files, SMTP or the queue. */
export class Mailer extends Context.Tag("effect-framework/mail/Mailer")<
  Mailer,
  {
    /** Sends one message. With the queue it is stored in the caller's transaction. */
    readonly send: (message: MailMessage, options?: SendOptions) => Effect.Effect<void, MailDeliveryError>
    /**
     * Runs `make` and sends its message. With the queue, what `make` writes (a token, for example) and the message are
     * stored in one transaction; with another transport the message is sent after `make`, outside any transaction.
     */
    readonly sendFrom: <E, R>(make: Effect.Effect<MailMessage, E, R>) => Effect.Effect<void, E | MailDeliveryError, R>
  }
>() {}

/** A mailer made from one function that delivers a message. */
export const fromSend = (
  deliver: (message: MailMessage, options?: SendOptions) => Effect.Effect<void, MailDeliveryError>
): typeof Mailer.Service => {
  const send = (message: MailMessage, options?: SendOptions) => traced(deliver(message, options))
  return Mailer.of({ send, sendFrom: (make) => Effect.flatMap(make, (message) => send(message)) })
}

const traced = Tracing.span("Mailer.send", { kind: "client" })

const isMailFailure = (error: unknown): error is MailDeliveryError | InvalidAddress =>
  error instanceof MailDeliveryError || error instanceof InvalidAddress

/**
 * Sends the message that `make` returns. A failed delivery is logged and does not fail the caller.
 *
 * @example
 * ```ts
 * import { Effect, Redacted } from "effect"
 * import { Mailer, MailMessage } from "effect-framework/mail"
 *
 * const receipt = (email: string) =>
 *   Effect.map(MailMessage.parseAddress(email), (to) => {
 *     const [text, html] = [Redacted.make("One cup of tea."), Redacted.make("<p>One cup of tea.</p>")]
 *     return new MailMessage.MailMessage({ to, subject: MailMessage.Line.make("Your receipt"), text, html })
 *   })
 *
 * export const program = Mailer.sendOrLog(receipt("ann@example.com"))
 * ```
 */
export const sendOrLog = <E, R>(
  make: Effect.Effect<MailMessage, E, R>
): Effect.Effect<void, Exclude<E, MailDeliveryError | InvalidAddress>, Mailer | R> =>
  Effect.flatMap(Mailer, (mailer) => mailer.sendFrom(make)).pipe(
    Effect.catchAll((error) =>
      isMailFailure(error)
        ? Effect.logWarning(error.message)
        : Effect.fail(error as Exclude<E, MailDeliveryError | InvalidAddress>)
    )
  )

// An e-mail message to one address. No field of it can inject a header or a second recipient.
import { Either, Schema } from "effect"
import * as Domain from "../http/internal/text/Domain.ts"

/**
 * The text is not a usable address. The error does not repeat it: it is untrusted input.
 *
 * @example
 * ```ts
 * import { Either } from "effect"
 * import { MailMessage } from "effect-framework/mail"
 *
 * export const problem = (text: string) =>
 *   Either.match(MailMessage.parseAddress(text), {
 *     onLeft: (error: MailMessage.InvalidAddress) => error.reason,
 *     onRight: () => "none"
 *   })
 * ```
 */
export class InvalidAddress extends Schema.TaggedError<InvalidAddress>("effect-framework/mail/InvalidAddress")(
  "InvalidAddress",
  {
    reason: Schema.String
  }
) {
  override get message(): string {
    return `The address ${this.reason}`
  }
}

const octets = (text: string): number => new TextEncoder().encode(text).length

// A comma, a bracket, a quote or a line break here would add a recipient or inject a header.
const local = /^[\p{L}\p{N}\p{M}.!#$%&'*+/=?^_`{|}~-]+$/u

const problemWith = (text: string): string | undefined => {
  if (/\p{C}/u.test(text)) return "holds a control character"
  if (octets(text) > 254) return "is longer than 254 octets"
  const at = text.lastIndexOf("@")
  if (at < 1) return "has no name before an @"
  if (octets(text.slice(0, at)) > 64) return "has a name longer than 64 octets"
  if (!local.test(text.slice(0, at))) return "has a character in its name that would need quoting"
  const host = text.slice(at + 1)
  if (Domain.ascii(host) !== host) return "has no domain name after the @"
  return host.split(".").some((label) => label.length > 63) ? "has a domain label longer than 63 octets" : undefined
}

/**
 * A recipient: `name@domain`, the domain in its ASCII form, the name without characters that need quoting.
 *
 * @example
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Job, Jobs } from "effect-framework/jobs"
 * import { MailMessage } from "effect-framework/mail"
 *
 * // The job holds an address that is known to be one.
 * const Receipt = Job.make("receipt", { payload: Schema.Struct({ to: MailMessage.Address, cups: Schema.Int }) })
 *
 * export const order = (email: string, cups: number) =>
 *   Effect.flatMap(MailMessage.parseAddress(email), (to) => Jobs.enqueue(Receipt, { to, cups }))
 * ```
 */
export const Address = Schema.String.pipe(
  Schema.filter((text) => problemWith(text) ?? true),
  Schema.brand("mail/Address")
)
export type Address = typeof Address.Type

/** Parses an address and converts its domain to ASCII. */
export const parseAddress = (text: string): Either.Either<Address, InvalidAddress> => {
  const normalized = Domain.inAddress(text)
  const reason = problemWith(normalized)
  return reason === undefined ? Either.right(Address.make(normalized)) : Either.left(new InvalidAddress({ reason }))
}

/** One line of text, such as a subject or the name of a sender. */
export const Line = Schema.String.pipe(
  Schema.filter((text) => (/[\p{Cc}\u2028\u2029]/u.test(text) ? "expected one line without control characters" : true)),
  Schema.maxLength(200),
  Schema.brand("mail/Line")
)
export type Line = typeof Line.Type

/** A message with a plain text and an HTML body. Both are redacted in logs: their link gives access to an account. */
export class MailMessage extends Schema.Class<MailMessage>("effect-framework/mail/MailMessage")({
  to: Address,
  subject: Line,
  text: Schema.Redacted(Schema.String),
  html: Schema.Redacted(Schema.String)
}) {}

/**
 * The `From` of a message.
 *
 * @example
 * ```ts
 * import { MailMessage } from "effect-framework/mail"
 * import { FileMailer } from "effect-framework/layers/mail"
 *
 * const sender = new MailMessage.Sender({
 *   name: MailMessage.Line.make("Teapots & Co"),
 *   address: MailMessage.Address.make("no-reply@teapots.example.com")
 * })
 *
 * // For a demonstration that sends nothing: each message is a file that a mail program opens.
 * export const mailer = FileMailer.layerWith({ folder: "storage/mail", sender })
 * ```
 */
export class Sender extends Schema.Class<Sender>("effect-framework/mail/Sender")({ name: Line, address: Address }) {}

// One letter to one address: nothing in it can add a header or a second recipient.
import { Either, Schema } from "effect"
import * as Domain from "./Domain.ts"

/** The address cannot be written to. The address itself stays out of the message: it may hold anything. */
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

// A comma, a bracket, a quote or a line break here is how one recipient becomes two, or a header becomes three.
const local = /^[\p{L}\p{N}\p{M}.!#$%&'*+/=?^_`{|}~-]+$/u

const fault = (text: string): string | undefined => {
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

/** Where a letter may go: `name@domain`, the domain in its ASCII form, the name without anything that must be quoted. */
export const Address = Schema.String.pipe(
  Schema.filter((text) => fault(text) ?? true),
  Schema.brand("mail/Address")
)
export type Address = typeof Address.Type

/** The address in the form that mail servers know, or why there is none. */
export const address = (text: string): Either.Either<Address, InvalidAddress> => {
  const known = Domain.inAddress(text)
  const reason = fault(known)
  return reason === undefined ? Either.right(Address.make(known)) : Either.left(new InvalidAddress({ reason }))
}

/** One line of text, such as a subject or the name of a sender. */
export const Line = Schema.String.pipe(
  Schema.filter((text) => (/[\p{Cc}\u2028\u2029]/u.test(text) ? "expected one line without control characters" : true)),
  Schema.maxLength(200),
  Schema.brand("mail/Line")
)
export type Line = typeof Line.Type

/** The body is hidden from logs: its link opens an account. */
export class MailMessage extends Schema.Class<MailMessage>("effect-framework/mail/MailMessage")({
  to: Address,
  subject: Line,
  text: Schema.Redacted(Schema.String),
  html: Schema.Redacted(Schema.String)
}) {}

/** Who a letter comes from. */
export class Sender extends Schema.Class<Sender>("effect-framework/mail/Sender")({ name: Line, address: Address }) {}

/** Reads `no-reply@example.com` or `Example <no-reply@example.com>`. */
export const sender = (text: string): Sender | undefined => {
  const match = /^([^<>]*)<([^<>]+)>$/.exec(text)
  const found = address((match?.[2] ?? text).trim())
  const name = (match?.[1] ?? "").trimEnd().replace(/^"(.*)"$/, "$1")
  return Either.isRight(found) && Schema.is(Line)(name) ? new Sender({ name, address: found.right }) : undefined
}

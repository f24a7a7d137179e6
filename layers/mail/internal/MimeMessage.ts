// The MIME text of a message, composed by nodemailer. It is loaded with the first message that is composed.
import { Effect, Redacted } from "effect"
import type { MailMessage, Sender } from "../../../src/mail/MailMessage.ts"
import * as OptionalPackage from "../../../src/config/internal/OptionalPackage.ts"

/** The header fields that are not part of the message itself. */
export interface Envelope {
  readonly sender: Sender
  /** The left part of the `Message-ID`. A message that is sent twice keeps it, so that clients recognise the copy. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly date: number
}

/** The whole message, with CRLF line endings. */
export const compose = Effect.fnUntraced(function* (message: MailMessage, { date, id, sender }: Envelope) {
  const { default: MailComposer } = yield* Effect.orDie(
    OptionalPackage.load("E-mail", "nodemailer", () => import("nodemailer/lib/mail-composer"))
  )
  const domain = sender.address.slice(sender.address.lastIndexOf("@") + 1)
  const composer = new MailComposer({
    from: { ...sender },
    to: { name: "", address: message.to },
    // nodemailer trims some subjects and not others.
    subject: message.subject.trim(),
    date: new Date(date),
    messageId: `<${id}@${domain}>`,
    // Stops automatic replies to the sender (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    text: part("text/plain", Redacted.value(message.text)),
    html: part("text/html", Redacted.value(message.html)),
    textEncoding: "base64",
    disableFileAccess: true,
    disableUrlAccess: true
  })
  return yield* Effect.promise(() => composer.compile().build())
})

// nodemailer encodes every part with a line longer than 76 characters, which splits links. ASCII text that the format
// allows as it is stays readable, so that a link can be copied from the file.
const part = (type: string, text: string) => {
  const content = text.replace(/\r\n|\r|\n/g, "\r\n")
  const readable = /^[\t\n\r\x20-\x7e]*$/.test(content) && content.split("\r\n").every((line) => line.length <= 998)
  return readable
    ? { raw: `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${content}` }
    : { content }
}

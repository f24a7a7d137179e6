// Messages for tests, each with its own address and link.
import { Redacted } from "effect"
import { Address, MailMessage, Line, Sender } from "../../src/mail/MailMessage.ts"

export const sender = new Sender({ name: Line.make(""), address: Address.make("no-reply@example.com") })

export const linkOf = (to: string): string =>
  `https://app.example/verify/selector/verifier-of-${to.replace("@", "-at-")}`

export const messageTo = (to: string, text = `Open\n\n${linkOf(to)}\n`): MailMessage =>
  new MailMessage({
    to: Address.make(to),
    subject: Line.make("Hello"),
    text: Redacted.make(text),
    html: Redacted.make(`<p>Open ${linkOf(to)}</p>\n`)
  })

// Messages that stay in memory: what was sent, and where its link leads.
import { Context, Effect, Layer, Redacted } from "effect"
import type { MailMessage } from "../src/mail/MailMessage.ts"
import { fromSend, Mailer } from "../src/mail/Mailer.ts"
import { BackgroundWork } from "./BackgroundWork.ts"

/** A message, its secrets readable: this is a test. */
export interface CapturedMessage {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The messages that were sent while the test ran. */
export class CapturedMail extends Context.Tag("effect-framework/testing/CapturedMail")<
  CapturedMail,
  {
    /** The messages so far, the oldest first, once nothing is under way. */
    readonly messages: Effect.Effect<ReadonlyArray<CapturedMessage>>
    readonly messagesTo: (email: string) => Effect.Effect<ReadonlyArray<CapturedMessage>>
    /** The path of the link in the last message to this address: `client.get(path)` opens it. */
    readonly linkTo: (email: string) => Effect.Effect<string>
  }
>() {}

const opened = ({ html, subject, text, to }: MailMessage): CapturedMessage => ({
  to,
  subject,
  text: Redacted.value(text),
  html: Redacted.value(html)
})

// The path of the first link in a text.
const pathIn = (text: string): string | undefined => {
  const [link] = /https?:\/\/[^\s<>"]+/.exec(text) ?? []
  if (link === undefined) return undefined
  const { pathname, search } = new URL(link)
  return pathname + search
}

const make = Effect.map(BackgroundWork, ({ idle: settled }) => {
  const sent: Array<CapturedMessage> = []
  const messages = Effect.zipRight(
    settled,
    Effect.sync(() => [...sent])
  )
  const messagesTo = (email: string) => Effect.map(messages, (all) => all.filter(({ to }) => to === email))
  const linkTo = (email: string) =>
    Effect.flatMap(messagesTo(email), (theirs) => {
      const path = pathIn(theirs.at(-1)?.text ?? "")
      return path === undefined
        ? Effect.dieMessage(`No message with a link went to ${email}; there are ${theirs.length} to it.`)
        : Effect.succeed(path)
    })
  return Context.make(CapturedMail, { messages, messagesTo, linkTo }).pipe(
    Context.add(
      Mailer,
      fromSend((message) => Effect.sync(() => void sent.push(opened(message))))
    )
  )
})

/** A mailer that keeps what it is given. */
export const layer: Layer.Layer<CapturedMail | Mailer, never, BackgroundWork> = Layer.effectContext(make)

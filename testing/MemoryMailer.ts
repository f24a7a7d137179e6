// A mailer that keeps its messages in memory.
import { Context, Effect, Layer, Redacted } from "effect"
import type { MailMessage } from "../src/mail/MailMessage.ts"
import { fromSend, Mailer } from "../src/mail/Mailer.ts"
import { BackgroundWork } from "./BackgroundWork.ts"
import { CapturedMail, type CapturedMessage } from "./CapturedMail.ts"

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

const make = Effect.map(BackgroundWork, ({ idle }) => {
  const sent: Array<CapturedMessage> = []
  const messages = Effect.zipRight(
    idle,
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

/** A mailer that keeps its messages. */
export const layer: Layer.Layer<CapturedMail | Mailer, never, BackgroundWork> = Layer.effectContext(make)

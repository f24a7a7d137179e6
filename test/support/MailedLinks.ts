// The links with a token in the messages that a program sent during a test.
import { Effect } from "effect"
import { CapturedMail } from "../../testing/CapturedMail.ts"
import { appUrl } from "../../testing/TestApp.ts"

/** The paths of the links to this address below a path, the oldest first. */
export const linksTo = (email: string, below: string) =>
  Effect.map(
    Effect.flatMap(CapturedMail, (mail) => mail.messagesTo(email)),
    (messages) =>
      messages.flatMap(({ text }) => new RegExp(`${appUrl}(${below}/[0-9a-f]{16}/\\S+)`).exec(text)?.[1] ?? [])
  )

/** The last of them; empty where there is none. */
export const lastLink = (email: string, below: string) =>
  Effect.map(linksTo(email, below), (links) => links.at(-1) ?? "")

/** The token of the last one, as the API takes it. */
export const lastToken = (email: string, below: string) =>
  Effect.map(lastLink(email, below), (link) => link.slice(below.length + 1))

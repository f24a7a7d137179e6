// The messages of the file transport, in `development`.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import * as MailboxPanel from "../../../src/devtools/internal/MailboxPanel.ts"
import { Mailbox } from "../../../src/mail/internal/Mailbox.ts"
import { RequestRecorder } from "../../../src/http/internal/RequestRecorder.ts"
import * as Catcher from "../../errors/Catcher.ts"
import * as DebugResponse from "./DebugResponse.ts"

/** `GET /_debug/mail`. */
export const list = Effect.gen(function* () {
  if ((yield* RequestRecorder) === undefined) return yield* Catcher.status(404)
  const mailbox = yield* Mailbox
  if (mailbox === undefined) return DebugResponse.page(MailboxPanel.elsewhere)
  const { messages, more } = yield* mailbox.list
  return DebugResponse.page(MailboxPanel.list(messages, more))
})

const named = Effect.gen(function* () {
  const mailbox = yield* Mailbox
  const { name = "" } = yield* HttpLayerRouter.params
  return mailbox === undefined ? Option.none() : yield* mailbox.read(name)
})

/** `GET /_debug/mail/:name`. */
export const detail = Effect.gen(function* () {
  if ((yield* RequestRecorder) === undefined) return yield* Catcher.status(404)
  const message = yield* named
  return Option.isNone(message)
    ? DebugResponse.page(MailboxPanel.unknown, 404)
    : DebugResponse.page(MailboxPanel.detail(message.value))
})

/** `GET /_debug/mail/:name/html`: what the frame shows. */
export const frame = Effect.gen(function* () {
  const message = (yield* RequestRecorder) === undefined ? Option.none() : yield* named
  if (Option.isNone(message)) return yield* Catcher.status(404)
  return HttpServerResponse.raw(MailboxPanel.frame(message.value), {
    contentType: "text/html; charset=utf-8",
    headers: { ...DebugResponse.headers(MailboxPanel.framePolicy), "referrer-policy": "no-referrer" }
  })
})

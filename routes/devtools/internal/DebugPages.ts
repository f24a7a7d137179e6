// The pages of the development panel: the requests of the last minute, and the messages of the file transport.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import * as ErrorPanel from "../../../src/devtools/internal/ErrorPanel.ts"
import * as JobPanel from "../../../src/devtools/internal/JobPanel.ts"
import * as MailboxPanel from "../../../src/devtools/internal/MailboxPanel.ts"
import * as PanelPage from "../../../src/devtools/internal/PanelPage.ts"
import * as RequestPanel from "../../../src/devtools/internal/RequestPanel.ts"
import { ExceptionLog } from "../../../src/errors/internal/ExceptionGroups.ts"
import { RequestRecorder } from "../../../src/http/internal/RequestRecorder.ts"
import { Jobs } from "../../../src/jobs/Jobs.ts"
import { Mailbox } from "../../../src/mail/internal/Mailbox.ts"
import * as Catcher from "../../errors/Catcher.ts"

/** Kept by nobody, shown in no frame, read by no other site. */
const headers = (policy: string): Readonly<Record<string, string>> => ({
  "cache-control": "no-store",
  "content-security-policy": policy,
  "cross-origin-resource-policy": "same-origin"
})

/** The page under a nonce of its own. */
const page = (given: PanelPage.Page, status = 200): HttpServerResponse.HttpServerResponse => {
  const nonce = globalThis.crypto.randomUUID().replaceAll("-", "")
  return HttpServerResponse.raw(PanelPage.render(given, nonce), {
    status,
    contentType: "text/html; charset=utf-8",
    headers: headers(PanelPage.contentSecurityPolicy(nonce))
  })
}

/** `GET /_debug`. */
export const requests = Effect.flatMap(RequestRecorder, (recorder) =>
  recorder === undefined
    ? Catcher.status(404)
    : Effect.map(recorder.all, (requests) => page(RequestPanel.list(requests)))
)

/** `GET /_debug/requests/:id`. */
export const request = Effect.gen(function* () {
  const recorder = yield* RequestRecorder
  if (recorder === undefined) return yield* Catcher.status(404)
  const { id = "" } = yield* HttpLayerRouter.params
  const found = (yield* recorder.all).find((request) => request.id === id)
  return found === undefined ? page(RequestPanel.unknown, 404) : page(RequestPanel.detail(found))
})

/** `GET /_debug/errors`. */
export const errors = Effect.gen(function* () {
  const log = yield* ExceptionLog
  return log === undefined ? yield* Catcher.status(404) : page(ErrorPanel.list(yield* log.groups))
})

/** `GET /_debug/jobs`. */
export const jobs = Effect.gen(function* () {
  const queue = yield* Effect.serviceOption(Jobs)
  if ((yield* RequestRecorder) === undefined || Option.isNone(queue)) return yield* Catcher.status(404)
  const { counts, list } = queue.value
  return page(JobPanel.list(yield* counts, yield* list()))
})

/** `GET /_debug/mail`. */
export const messages = Effect.gen(function* () {
  if ((yield* RequestRecorder) === undefined) return yield* Catcher.status(404)
  const mailbox = yield* Mailbox
  if (mailbox === undefined) return page(MailboxPanel.elsewhere)
  const listed = yield* mailbox.list
  return page(MailboxPanel.list(listed.messages, listed.more))
})

const named = Effect.gen(function* () {
  const mailbox = yield* Mailbox
  const { name = "" } = yield* HttpLayerRouter.params
  return mailbox === undefined ? Option.none() : yield* mailbox.read(name)
})

/** `GET /_debug/mail/:name`. */
export const message = Effect.gen(function* () {
  if ((yield* RequestRecorder) === undefined) return yield* Catcher.status(404)
  const found = yield* named
  return Option.isNone(found) ? page(MailboxPanel.unknown, 404) : page(MailboxPanel.detail(found.value))
})

/** `GET /_debug/mail/:name/html`: what the frame shows. */
export const frame = Effect.gen(function* () {
  const found = (yield* RequestRecorder) === undefined ? Option.none() : yield* named
  if (Option.isNone(found)) return yield* Catcher.status(404)
  return HttpServerResponse.raw(MailboxPanel.frame(found.value), {
    contentType: "text/html; charset=utf-8",
    headers: { ...headers(MailboxPanel.framePolicy), "referrer-policy": "no-referrer" }
  })
})

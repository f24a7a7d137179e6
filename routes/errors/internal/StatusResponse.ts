// The response of a status: the project's page, one in the layout, the built-in one, or plain text; or JSON.
import { Headers, HttpServerResponse } from "@effect/platform"
import { type Cause, Effect, Option } from "effect"
import * as ErrorBody from "../../../src/errors/internal/ErrorBody.ts"
import * as StatusPage from "../../../src/errors/internal/StatusPage.ts"
import type { Page, ErrorPages } from "../../../src/errors/ErrorPages.ts"
import { HttpTexts } from "../../../src/http/HttpTexts.ts"
import type { Language } from "../../../src/http/Languages.ts"
import * as Status from "../../../src/http/internal/text/Status.ts"
import type { Kind } from "./Negotiation.ts"

type Response = HttpServerResponse.HttpServerResponse

/** A message, or how to say it in the language of the request. */
export type Message = string | ((language: Language) => string)

/** The headers, message and fields of a response. */
export interface Options {
  readonly headers?: Readonly<Record<string, string>>
  /** Shown in place of the status text. */
  readonly message?: Message
  /** What was expected of the request, by path; JSON only. */
  readonly fields?: ErrorBody.Fields
}

/** A response with a text body. It varies with `Accept` and must not be stored. */
export const send = (
  status: number,
  contentType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {}
): Response => {
  const all: Record<string, string> = { "content-type": contentType, vary: "Accept", "cache-control": "no-store" }
  for (const name in headers) all[name.toLowerCase()] = headers[name] ?? ""
  return HttpServerResponse.raw(body, { status, headers: Headers.unsafeFromRecord(all) })
}

const builtInPolicy =
  `default-src 'none'; style-src ${StatusPage.styleHash}; img-src data:; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

interface Parts {
  readonly views: ErrorPages["Type"]
  readonly kind: Kind
  readonly language: Language
  /** Reports a project page that cannot be rendered. */
  readonly report: (cause: Cause.Cause<unknown>) => Effect.Effect<void>
  /** The page in the program's layout, where it has one. */
  readonly layout: (message: string) => Effect.Effect<Option.Option<string>>
}

/** The response of a status for this client. Never fails: each format falls back to a simpler one. */
export const make = (
  { kind: wanted, language, layout, report, views }: Parts,
  status: number,
  { fields, headers = {}, message }: Options
): Effect.Effect<Response> => {
  const text = Status.text(status, language.texts(HttpTexts).statuses)
  const shownMessage = (typeof message === "function" ? message(language) : message) ?? text
  if (wanted === "application/json") {
    return Effect.sync(() => send(status, wanted, JSON.stringify(ErrorBody.status(shownMessage, fields)), headers))
  }
  if (wanted === "application/problem+json") {
    return Effect.sync(() =>
      send(status, wanted, JSON.stringify(ErrorBody.problem(status, shownMessage, undefined, fields, text)), headers)
    )
  }
  const html = (body: string, csp: string) =>
    send(status, "text/html; charset=utf-8", body, { ...headers, "content-security-policy": csp })
  const builtIn = () => html(StatusPage.render(status, shownMessage, language.tag), builtInPolicy)
  // Has the policy of every other page.
  const inLayout = () =>
    Effect.map(
      layout(shownMessage),
      Option.match({ onNone: builtIn, onSome: (markup) => send(status, "text/html; charset=utf-8", markup, headers) })
    )
  const page = Effect.suspend(() => views.page({ status, text, message: shownMessage, language: language.tag }))
  const shown = Effect.flatMap(page, (own: Option.Option<Page>) =>
    own._tag === "Some" ? Effect.succeed(html(own.value.markup, own.value.policy)) : inLayout()
  )
  const simpler = Effect.catchAllCause(shown, (cause) => Effect.map(report(cause), builtIn))
  return Effect.catchAllCause(simpler, () =>
    Effect.sync(() => send(status, "text/plain; charset=utf-8", shownMessage, headers))
  )
}

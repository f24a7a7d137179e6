// One outcome as two responses: a page or a redirect for browsers, JSON for other clients.
import { HttpServerRequest } from "@effect/platform"
import { Context, Effect } from "effect"
import * as ErrorResponse from "../../src/http/internal/ErrorResponse.ts"
import * as Accept from "../../src/http/Accept.ts"
import type { Notice } from "../../src/http/Layout.ts"
import * as NoStore from "../http/internal/NoStore.ts"
import * as Texts from "../http/Texts.ts"
import * as Flash from "./Flash.ts"
import * as Page from "./Page.ts"
import type { InvalidForm } from "./FormRequest.ts"

type Request = HttpServerRequest.HttpServerRequest

const isJson = (services: Context.Context<Request>): boolean =>
  Accept.prefersJson(Context.get(services, HttpServerRequest.HttpServerRequest).headers["accept"])

const prefersJson = Effect.contextWith(isJson)

/** The JSON response of a route. */
interface JsonReply {
  readonly status?: number
  readonly value: unknown
}

/** Redirects a browser; a JSON client gets `json`. */
export const redirect = Effect.fnUntraced(function* (to: string, json: JsonReply) {
  return (yield* prefersJson) ? NoStore.json(json.value, json.status) : NoStore.seeOther(to)
})

/** Redirects a browser and shows the message there; a JSON client gets `json`, or the message. */
export const redirectWithFlash = Effect.fnUntraced(function* (to: string, notice: Notice, json?: JsonReply) {
  if (yield* prefersJson) return NoStore.json(json?.value ?? { message: notice.text }, json?.status)
  return yield* Flash.redirect(to, notice)
})

/** A link that is invalid or expired: 410 for a JSON client, a redirect with the message for a browser. */
export const gone = Effect.fnUntraced(function* (to: string, text: string) {
  return (yield* prefersJson) ? NoStore.json({ error: text }, 410) : yield* Flash.redirect(to, Flash.bad(text))
})

/** The page for a browser; `value`, or the page's title, for a JSON client. */
export const render = <E, R>(content: Effect.Effect<Page.Page, E, R>, value?: unknown) =>
  Effect.contextWithEffect((services: Context.Context<Request>) => {
    if (!isJson(services)) return Effect.flatMap(content, (page) => Page.render(page))
    return value === undefined
      ? Effect.map(content, ({ title }) => NoStore.json({ message: title }))
      : Effect.succeed(NoStore.json(value))
  })

/** Why a form was refused. */
export interface Invalid {
  readonly status: number
  readonly error: string
  readonly fieldErrors?: InvalidForm["fieldErrors"]
}

/** The form again with its errors; `error` is shown above it. */
export const renderInvalid = <E, R>(invalid: Invalid, content: Effect.Effect<Page.Page, E, R>) =>
  Effect.gen(function* () {
    const { fieldErrors = {}, status } = invalid
    const error = ErrorResponse.from(invalid)?.translate?.(yield* Texts.language) ?? invalid.error
    if (!(yield* prefersJson)) return yield* Page.renderInvalid({ status, error }, content)
    return NoStore.json(Object.keys(fieldErrors).length === 0 ? { error } : { error, fields: fieldErrors }, status)
  })

// Responses: a text, a page, JSON or a redirect, and one outcome as two: a page or a redirect for browsers, JSON for others.
import type { HttpServerRequest } from "@effect/platform"
import { type Context, Effect } from "effect"
import * as ErrorResponse from "../../src/http/internal/ErrorResponse.ts"
import type { Notice } from "../../src/http/Layout.ts"
import * as NoStore from "../http/internal/NoStore.ts"
import * as Texts from "../http/Texts.ts"
import * as Refusal from "./internal/Refusal.ts"
import * as StoredFlash from "./internal/StoredFlash.ts"
import * as Page from "./Page.ts"
import * as InvalidPage from "./internal/InvalidPage.ts"
import type { InvalidForm } from "./FormState.ts"
import * as RequestServices from "../../src/http/internal/RequestServices.ts"

export { json, type Options, page, text } from "../http/internal/TextResponse.ts"

const prefersJson = RequestServices.read(Refusal.prefersJson)

/** The JSON response of a route. */
export interface JsonReply {
  readonly status?: number
  readonly value: unknown
}

/**
 * Redirects a browser; a JSON client gets `json`.
 *
 * @example
 * ```ts
 * import { SqlClient } from "@effect/sql"
 * import { Effect, Schema } from "effect"
 * import { FormState, Respond } from "effect-framework/routes/session"
 *
 * const Item = Schema.Struct({ tea: Schema.NonEmptyString, cups: Schema.NumberFromString })
 *
 * // A browser goes back to the basket, a client of JSON gets 201 and the item.
 * export const add = Effect.gen(function* () {
 *   const item = yield* FormState.read(Item)
 *   const sql = yield* SqlClient.SqlClient
 *   yield* Effect.orDie(sql`INSERT INTO basket ${sql.insert(item)}`)
 *   return yield* Respond.redirect("/basket", { status: 201, value: item })
 * })
 * ```
 */
export const redirect = Effect.fnUntraced(function* (to: string, json: JsonReply) {
  return (yield* prefersJson) ? NoStore.json(json.value, json.status) : NoStore.seeOther(to)
})

/** Redirects a browser and shows the message there; a JSON client gets `json`, or 200 and `{ "message": … }`. */
export const redirectWithFlash = Effect.fnUntraced(function* (to: string, notice: Notice, json?: JsonReply) {
  if (yield* prefersJson) return NoStore.json(json?.value ?? { message: notice.text }, json?.status)
  return yield* StoredFlash.redirect(to, notice)
})

/** The page for a browser; `value`, or the page's title, for a JSON client. */
export const render = <E, R>(content: Effect.Effect<Page.Page, E, R>, value?: unknown) =>
  RequestServices.use((services: Context.Context<HttpServerRequest.HttpServerRequest>) => {
    if (!Refusal.prefersJson(services)) return Effect.flatMap(content, (page) => Page.render(page))
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
    const services = yield* Effect.context<HttpServerRequest.HttpServerRequest>()
    if (!Refusal.prefersJson(services)) return yield* InvalidPage.render({ status, error }, content)
    return Refusal.make(services, status, error, Object.keys(fieldErrors).length === 0 ? undefined : fieldErrors)
  })

// Responses: a text, a page, JSON or a redirect, and one outcome as two: a page or a redirect for browsers, JSON for others.
import { HttpServerRequest } from "@effect/platform"
import { Context, Effect } from "effect"
import * as ErrorResponse from "../../src/http/internal/ErrorResponse.ts"
import * as ErrorBody from "../../src/errors/internal/ErrorBody.ts"
import { HttpTexts } from "../../src/http/HttpTexts.ts"
import { idOf } from "../../src/http/internal/RequestState.ts"
import * as Status from "../../src/http/internal/text/Status.ts"
import { kind } from "../errors/internal/StatusResponse.ts"
import { languageOf } from "../http/internal/RequestTexts.ts"
import * as TextResponse from "../http/internal/TextResponse.ts"
import type { Notice } from "../../src/http/Layout.ts"
import * as NoStore from "../http/internal/NoStore.ts"
import * as Texts from "../http/Texts.ts"
import * as Flash from "./Flash.ts"
import * as StoredFlash from "./internal/StoredFlash.ts"
import * as Page from "./Page.ts"
import * as InvalidPage from "./internal/InvalidPage.ts"
import type { InvalidForm } from "./FormState.ts"
import * as RequestServices from "../../src/http/internal/RequestServices.ts"

export { json, type Options, page, text } from "../http/internal/TextResponse.ts"

type Request = HttpServerRequest.HttpServerRequest

const isJson = (services: Context.Context<Request>): boolean =>
  kind(Context.get(services, HttpServerRequest.HttpServerRequest).headers["accept"]) !== "text/html"

const prefersJson = RequestServices.read(isJson)

// A refusal as JSON, or as a problem document where the client prefers that.
const refusal = (
  services: Context.Context<Request>,
  status: number,
  error: string,
  fields?: Readonly<Record<string, string>>
) => {
  const { headers } = Context.get(services, HttpServerRequest.HttpServerRequest)
  if (kind(headers["accept"]) !== "application/problem+json") {
    return NoStore.json(ErrorBody.status(error, fields), status)
  }
  const title = Status.text(status, languageOf(services).texts(HttpTexts).statuses)
  const problem = ErrorBody.problem(status, error, { id: idOf(services), fields, title })
  return TextResponse.make(JSON.stringify(problem), "application/problem+json", NoStore.headers, status)
}

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

/**
 * A link that is invalid or expired: 410 for a JSON client, a redirect with the message for a browser.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { SqlClient } from "@effect/sql"
 * import { Effect, Schema } from "effect"
 * import { Respond } from "effect-framework/routes/session"
 *
 * const accept = Effect.gen(function* () {
 *   const { code } = yield* HttpLayerRouter.schemaPathParams(Schema.Struct({ code: Schema.UUID }))
 *   const sql = yield* SqlClient.SqlClient
 *   const used = yield* Effect.orDie(sql`DELETE FROM invitations WHERE code = ${code} RETURNING code`)
 *   if (used.length === 0) return yield* Respond.gone("/", "This invitation was used already.")
 *   return yield* Respond.redirect("/tasting", { value: { accepted: true } })
 * })
 *
 * export const route = HttpLayerRouter.route("POST", "/invitations/:code", accept)
 * ```
 */
export const gone = Effect.fnUntraced(function* (to: string, text: string) {
  const services = yield* Effect.context<Request>()
  return isJson(services) ? refusal(services, 410, text) : yield* StoredFlash.redirect(to, Flash.error(text))
})

/** The page for a browser; `value`, or the page's title, for a JSON client. */
export const render = <E, R>(content: Effect.Effect<Page.Page, E, R>, value?: unknown) =>
  RequestServices.use((services: Context.Context<Request>) => {
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
    const services = yield* Effect.context<Request>()
    if (!isJson(services)) return yield* InvalidPage.render({ status, error }, content)
    return refusal(services, status, error, Object.keys(fieldErrors).length === 0 ? undefined : fieldErrors)
  })

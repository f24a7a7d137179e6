// Responses whose body is a text, which the server writes without a copy to bytes, and redirects after a form.
import { Headers, HttpBody, HttpServerResponse } from "@effect/platform"
import type { Html } from "../../../src/http/Html.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Header lines by their names. */
export type Lines = Readonly<Record<string, string>>

export const types = {
  json: "application/json",
  page: "text/html; charset=utf-8",
  text: "text/plain; charset=utf-8"
}

/** A response of this type. */
// Not by `contentType`: V8 11.3 (Node.js 20) makes a hidden class for each response then, 400 bytes in the old generation.
export const make = (body: string, contentType: string, headers: Lines, status: number): Response =>
  HttpServerResponse.setHeader(HttpServerResponse.raw(body, { status, headers }), "content-type", contentType)

/** Responses of this type that share their headers: making them anew takes a twentieth of `/account`. */
export const sharing = (contentType: string, headers: Lines = {}): ((body: string, status: number) => Response) => {
  const empty = make("", contentType, headers, 200)
  return (body, status) => {
    const response = HttpServerResponse.setBody(empty, HttpBody.raw(body))
    return status === 200 ? response : HttpServerResponse.setStatus(response, status)
  }
}

/** The status and the headers of a response. */
export interface Options {
  readonly status?: number
  readonly headers?: Lines
}

const plainJson = sharing(types.json)
const plainPage = sharing(types.page)

/** A value as JSON. */
export const json = (value: unknown, { headers, status = 200 }: Options = {}): Response => {
  const body = JSON.stringify(value)
  return headers === undefined ? plainJson(body, status) : make(body, types.json, headers, status)
}

/**
 * A page.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { Effect } from "effect"
 * import { Html } from "effect-framework/http"
 * import { Respond } from "effect-framework/routes/session"
 *
 * // A whole document without the layout and the user, for a screen in the shop: it is the same for everybody.
 * const board = Respond.page(Html.html`<!doctype html><title>Today</title><p>Today we have Assam.</p>`, {
 *   headers: { "cache-control": "public, max-age=300" }
 * })
 *
 * export const route = HttpLayerRouter.route("GET", "/board", Effect.succeed(board))
 * ```
 */
export const page = ({ markup }: Html, { headers, status = 200 }: Options = {}): Response =>
  headers === undefined ? plainPage(markup, status) : make(markup, types.page, headers, status)

/** Plain text, or a text of the given type. */
export const text = (
  body: string,
  { contentType = types.text, headers = {}, status = 200 }: Options & { readonly contentType?: string } = {}
): Response => make(body, contentType, headers, status)

/** 303 after a form: the browser follows with GET. */
export const seeOther = (location: string, headers?: Readonly<Record<string, string>>) =>
  HttpServerResponse.empty({ status: 303, headers: Headers.unsafeFromRecord({ location, ...headers }) })

// Answers with text bodies: handed to the server as they are, without a detour over bytes.
import { Headers, HttpServerResponse } from "@effect/platform"
import type { Html } from "../../src/http/Html.ts"

interface Options {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

const send = (body: string, contentType: string, { headers, status = 200 }: Options) =>
  headers === undefined
    ? HttpServerResponse.raw(body, { status, contentType })
    : HttpServerResponse.raw(body, { status, contentType, headers })

/** A value as JSON. */
export const json = (value: unknown, options: Options = {}): HttpServerResponse.HttpServerResponse =>
  send(JSON.stringify(value), "application/json", options)

/** A page. */
export const page = (html: Html, options: Options = {}): HttpServerResponse.HttpServerResponse =>
  send(html.markup, "text/html; charset=utf-8", options)

/** Plain text, or a text of the given type. */
export const text = (
  body: string,
  options: Options & { readonly contentType?: string } = {}
): HttpServerResponse.HttpServerResponse => send(body, options.contentType ?? "text/plain; charset=utf-8", options)

/** After a form: look there now, with GET. */
export const seeOther = (location: string, headers?: Readonly<Record<string, string>>) =>
  HttpServerResponse.empty({ status: 303, headers: Headers.unsafeFromRecord({ location, ...headers }) })

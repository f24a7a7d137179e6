// Responses with text bodies, passed to the server without a copy to bytes.
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

/** 303 after a form: the browser follows with GET. */
export const seeOther = (location: string, headers?: Readonly<Record<string, string>>) =>
  HttpServerResponse.empty({ status: 303, headers: Headers.unsafeFromRecord({ location, ...headers }) })

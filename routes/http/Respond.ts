// Responses with text bodies, passed to the server without a copy to bytes.
import { Headers, HttpBody, HttpServerResponse } from "@effect/platform"
import type { Html } from "../../src/http/Html.ts"
import * as Remembered from "../../src/http/Remembered.ts"
import * as NoStore from "./NoStore.ts"

interface Options {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

type Response = HttpServerResponse.HttpServerResponse

const make = (body: string, contentType: string, status: number, headers: Options["headers"]): Response =>
  headers === undefined
    ? HttpServerResponse.raw(body, { status, contentType })
    : HttpServerResponse.raw(body, { status, contentType, headers })

// The head of a response is copied twice when it is made: that of most of them is made once.
const heads = (headers?: Options["headers"]) =>
  Remembered.make(
    (contentType: string) => Remembered.make((status: number) => make("", contentType, status, headers), 64),
    64
  )

const plain = heads()
const noStore = heads(NoStore.headers)

const send = (body: string, contentType: string, { headers, status = 200 }: Options): Response => {
  const known = headers === undefined ? plain : headers === NoStore.headers ? noStore : undefined
  if (known === undefined) return make(body, contentType, status, headers)
  return HttpServerResponse.setBody(known(contentType)(status), HttpBody.raw(body))
}

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

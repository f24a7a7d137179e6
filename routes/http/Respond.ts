// Responses with text bodies, and redirects after a form.
import { Headers, HttpServerResponse } from "@effect/platform"
import type { Html } from "../../src/http/Html.ts"
import * as TextResponse from "./internal/TextResponse.ts"

/** The status and the headers of a response. */
export interface Options {
  readonly status?: number
  readonly headers?: TextResponse.Lines
}

const { types } = TextResponse
const plainJson = TextResponse.sharing(types.json)
const plainPage = TextResponse.sharing(types.page)

/** A value as JSON. */
export const json = (
  value: unknown,
  { headers, status = 200 }: Options = {}
): HttpServerResponse.HttpServerResponse => {
  const body = JSON.stringify(value)
  return headers === undefined ? plainJson(body, status) : TextResponse.make(body, types.json, headers, status)
}

/** A page. */
export const page = (
  { markup }: Html,
  { headers, status = 200 }: Options = {}
): HttpServerResponse.HttpServerResponse =>
  headers === undefined ? plainPage(markup, status) : TextResponse.make(markup, types.page, headers, status)

/** Plain text, or a text of the given type. */
export const text = (
  body: string,
  { contentType = types.text, headers = {}, status = 200 }: Options & { readonly contentType?: string } = {}
): HttpServerResponse.HttpServerResponse => TextResponse.make(body, contentType, headers, status)

/** 303 after a form: the browser follows with GET. */
export const seeOther = (location: string, headers?: Readonly<Record<string, string>>) =>
  HttpServerResponse.empty({ status: 303, headers: Headers.unsafeFromRecord({ location, ...headers }) })

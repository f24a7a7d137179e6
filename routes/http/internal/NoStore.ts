// Responses for one user only, or to a URL that contains a secret.
import type { HttpServerResponse } from "@effect/platform"
import type { Html } from "../../../src/http/Html.ts"
import * as TextResponse from "./TextResponse.ts"

/**
 * No cache stores the response, and no other site sees its URL. `no-referrer` would hide the URL as well, but then a
 * browser sends our own forms with `Origin: null`.
 */
export const headers: TextResponse.Lines = {
  "cache-control": "no-store",
  "referrer-policy": "same-origin",
  vary: "Accept, Cookie"
}

const { types } = TextResponse
const sharedJson = TextResponse.sharing(types.json, headers)
const sharedPage = TextResponse.sharing(types.page, headers)

/** `TextResponse.json` with these headers. */
export const json = (value: unknown, status = 200): HttpServerResponse.HttpServerResponse =>
  sharedJson(JSON.stringify(value), status)

/** `TextResponse.page` with these headers. */
export const page = ({ markup }: Html, status = 200): HttpServerResponse.HttpServerResponse =>
  sharedPage(markup, status)

/** `TextResponse.seeOther` with these headers. */
export const seeOther = (location: string): HttpServerResponse.HttpServerResponse =>
  TextResponse.seeOther(location, headers)

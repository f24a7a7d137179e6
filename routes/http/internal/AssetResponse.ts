// The response of a text that the program holds, with a strong ETag.
import { Headers, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { Asset } from "../../../src/http/Asset.ts"
import * as TextResponse from "../../http/internal/TextResponse.ts"

const matches = (given: string | undefined, etag: string): boolean =>
  given !== undefined && given.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag)

/** For an address with the hash of the content. */
export const immutable = "public, max-age=31536000, immutable"

/** For an address that stays while the content changes: a cache asks each time, and mostly gets 304. */
export const revalidated = "no-cache"

/** The text, or 304 when the client has it already. */
export const respond = (
  { content, contentType, etag }: Asset,
  cacheControl: string
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> => {
  const headers = { etag, "cache-control": cacheControl }
  return Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
    matches(request.headers["if-none-match"], etag)
      ? HttpServerResponse.empty({ status: 304, headers: Headers.unsafeFromRecord(headers) })
      : TextResponse.text(content, { contentType, headers })
  )
}

// Serves the program's own small files with a strong ETag.
import { Headers, HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { Asset } from "../../src/http/Asset.ts"
import * as Respond from "./Respond.ts"

const matches = (given: string | undefined, etag: string): boolean =>
  given !== undefined && given.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag)

/** One route for each file; 304 when the client has it already. */
export const routes = (assets: ReadonlyArray<Asset>) =>
  assets.map(({ content, contentType, etag, path }) => {
    const headers = { etag, "cache-control": "public, max-age=31536000, immutable" }
    return HttpLayerRouter.route(
      "GET",
      path,
      Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
        matches(request.headers["if-none-match"], etag)
          ? HttpServerResponse.empty({ status: 304, headers: Headers.unsafeFromRecord(headers) })
          : Respond.text(content, { contentType, headers })
      )
    )
  })

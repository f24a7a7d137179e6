// The document of the APIs of a program, and a page that shows it.
import { HttpLayerRouter, type HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import * as Asset from "../../src/http/Asset.ts"
import type { AnyApi } from "./ApiSpecs.ts"
import * as AssetResponse from "./AssetResponse.ts"
import * as OpenApiDocument from "./OpenApiDocument.ts"

/** The OpenAPI 3.1 document of the APIs, with what the server itself answers to every operation. */
export const document = OpenApiDocument.make

type Respond = Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>

interface Options extends OpenApiDocument.Options {
  /** Where the document is; `/openapi.json`. */
  readonly path?: `/${string}`
}

/** `GET /openapi.json`, rendered once; 304 for a client that has it. Give it to `Pipeline.plain`. */
export const routes = (apis: ReadonlyArray<AnyApi>, { path = "/openapi.json", ...options }: Options = {}) => {
  let rendered: Respond | undefined = undefined
  const render = Effect.map(OpenApiDocument.configured(apis, options), (made) => {
    const asset = Asset.make(path, "application/json", JSON.stringify(made))
    return (rendered = AssetResponse.respond(asset, AssetResponse.revalidated))
  })
  return [
    HttpLayerRouter.route(
      "GET",
      path,
      Effect.suspend((): Respond => rendered ?? Effect.flatten(render))
    )
  ]
}

// The document of the APIs of a program, and a page that shows it.
import { HttpLayerRouter, type HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import * as ApiPage from "../../src/server/internal/ApiPage.ts"
import * as ApiPageAssets from "../../src/server/internal/ApiPageAssets.ts"
import * as Asset from "../../src/http/Asset.ts"
import * as Page from "../session/Page.ts"
import type { AnyApi } from "./internal/ApiSpecs.ts"
import * as AssetResponse from "../http/internal/AssetResponse.ts"
import * as Assets from "../http/Assets.ts"
import * as OpenApiDocument from "./internal/OpenApiDocument.ts"

export type { ApiDocument } from "../../src/server/internal/ApiDocument.ts"
export type { Options as DocumentOptions } from "./internal/OpenApiDocument.ts"

/**
 * The OpenAPI 3.1 document of the APIs, with what the server itself answers to every operation.
 *
 * @example
 * ```ts
 * import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
 * import { Schema } from "effect"
 * import { ApiDocs } from "effect-framework/routes/server"
 * import { writeFileSync } from "node:fs"
 *
 * const group = HttpApiGroup.make("teas").add(HttpApiEndpoint.get("list", "/teas").addSuccess(Schema.Array(Schema.String)))
 *
 * const Api = HttpApi.make("teas").add(group).prefix("/api")
 *
 * // For a tool that makes clients from the document.
 * writeFileSync("openapi.json", JSON.stringify(ApiDocs.document([Api], { version: "1.2.0" })))
 * ```
 */
export const document = OpenApiDocument.make

type Respond = Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>

/** Where the OpenAPI document is served, and what it says. */
export interface Options extends OpenApiDocument.Options {
  /** Where the document is; `/openapi.json`. */
  readonly path?: `/${string}`
}

/** `GET /openapi.json`, rendered once; 304 for a client that has it. Give it to `Pipeline.stateless`. */
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

/** Where the page of the documentation is served, and what it says. */
export interface PageOptions extends OpenApiDocument.Options {
  /** Where the page is; `/api/docs`. */
  readonly path?: `/${string}`
  /** Where the document is that the page links to; `/openapi.json`. */
  readonly documentPath?: string
}

/**
 * `GET /api/docs`: the operations as a page in the layout of the program, with a form that sends each of them with the session
 * of the browser or with a bearer. Give it to `Pipeline.pages`; it works within the policy of every page.
 */
export const pages = (apis: ReadonlyArray<AnyApi>, given: PageOptions = {}) => {
  const { documentPath = "/openapi.json", path = "/api/docs", ...options } = given
  const style = Asset.make(`${path}/style.css`, "text/css; charset=utf-8", ApiPageAssets.stylesheet)
  const script = Asset.make(`${path}/script.js`, "text/javascript; charset=utf-8", ApiPageAssets.script)
  const links = { document: documentPath, style: style.href, script: script.href }
  let rendered: Page.Page | undefined = undefined
  const render = Effect.map(OpenApiDocument.configured(apis, options), (made) => {
    return (rendered = { title: made.info.title, main: ApiPage.render(made, links), width: "wide" } as const)
  })
  const page = Effect.suspend(() =>
    rendered === undefined ? Effect.flatMap(render, Page.render) : Page.render(rendered)
  )
  return [HttpLayerRouter.route("GET", path, page), ...Assets.routes([style, script])]
}

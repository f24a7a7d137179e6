// The body limit of one route.
import type { HttpLayerRouter } from "@effect/platform"
import * as ByteSize from "../../src/http/internal/text/ByteSize.ts"
import * as RouteOptions from "../../src/http/internal/RouteOptions.ts"

/**
 * `pipe(HttpLayerRouter.route(…), BodyLimit.route("20 MiB"))`: bodies of this length, and not the default of 1 MiB.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
 * import { Effect, pipe } from "effect"
 * import { BodyLimit } from "effect-framework/routes/http"
 * import { Respond } from "effect-framework/routes/session"
 *
 * const received = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ text }) =>
 *   Effect.map(text, (csv) => Respond.text(`${csv.split("\n").length} lines`))
 * )
 *
 * // For `Pipeline.stateless`: a list of stock may have 20 MiB, every other body 1 MiB.
 * export const stock = pipe(HttpLayerRouter.route("POST", "/stock.csv", received), BodyLimit.route("20 MiB"))
 * ```
 */
export const route =
  (limit: ByteSize.ByteSize) =>
  <E, R>(route: HttpLayerRouter.Route<E, R>): HttpLayerRouter.Route<E, R> =>
    RouteOptions.add(route, { bodyLimit: ByteSize.toBytes(limit) })

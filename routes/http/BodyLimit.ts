// The body limit of one route.
import type { HttpLayerRouter } from "@effect/platform"
import * as ByteSize from "../../src/http/internal/text/ByteSize.ts"
import * as RouteOptions from "../../src/http/internal/RouteOptions.ts"

/** `pipe(HttpLayerRouter.route(…), BodyLimit.route("20 MiB"))`: bodies of this length, and not the default of 1 MiB. */
export const route =
  (limit: ByteSize.ByteSize) =>
  <E, R>(route: HttpLayerRouter.Route<E, R>): HttpLayerRouter.Route<E, R> =>
    RouteOptions.add(route, { bodyLimit: ByteSize.toBytes(limit) })

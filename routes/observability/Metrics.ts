// The metrics of the fleet, in the format that the client prefers.
import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { probe } from "../../src/http/internal/RouteOptions.ts"
import { Fleet } from "../../src/observability/Fleet.ts"
import { negotiate } from "../../src/observability/internal/export/MetricsNegotiation.ts"
import * as TextResponse from "../http/internal/TextResponse.ts"

const metrics = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const fleet = yield* Fleet
  const { snapshot } = yield* fleet.gather
  const exporter = negotiate(request.headers["accept"])
  return TextResponse.text(exporter.export(snapshot), {
    contentType: exporter.contentType,
    headers: { "cache-control": "no-store", vary: "Accept" }
  })
})

/** `GET /metrics` as Prometheus text, OpenMetrics or JSON, by `Accept`. */
export const routes = [probe(HttpLayerRouter.route("GET", "/metrics", metrics))]

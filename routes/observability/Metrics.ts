// Everything the fleet has measured, in the format the client likes best.
import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import * as Accept from "../../src/http/Accept.ts"
import { Fleet } from "../../src/observability/Fleet.ts"
import * as Json from "../../src/observability/Json.ts"
import type { Exporter } from "../../src/observability/Observability.ts"
import * as OpenMetrics from "../../src/observability/OpenMetrics.ts"
import * as Prometheus from "../../src/observability/Prometheus.ts"
import * as Respond from "../http/Respond.ts"

/** The text unless JSON is really preferred: a scraper that gets a type it did not ask for calls the target down. */
export const negotiate = (accept: string | undefined): Exporter => {
  if (OpenMetrics.isAsked(accept)) return OpenMetrics.exporter
  const type = Accept.preferred(accept, ["text/plain", "application/json"])
  return type === "application/json" ? Json.exporter : Prometheus.exporter
}

const metrics = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const fleet = yield* Fleet
  const { snapshot } = yield* fleet.gather
  const exporter = negotiate(request.headers["accept"])
  return Respond.text(exporter.export(snapshot), {
    contentType: exporter.contentType,
    headers: { "cache-control": "no-store", vary: "Accept" }
  })
})

/** `GET /metrics` as Prometheus text, OpenMetrics or JSON, by `Accept`. */
export const routes = [HttpLayerRouter.route("GET", "/metrics", metrics)]

// The format of `GET /metrics`, by the `Accept` header.
import * as Accept from "../../../http/Accept.ts"
import * as Json from "../../Json.ts"
import type { Exporter } from "../../Observability.ts"
import * as OpenMetrics from "../../OpenMetrics.ts"
import * as Prometheus from "../../Prometheus.ts"

/** Whether the client accepts exactly this version of OpenMetrics and does not accept `text/plain`. */
export const acceptsOpenMetrics = (accept: string | undefined): boolean => {
  const ranges = (accept ?? "")
    .toLowerCase()
    .split(",")
    .map((range) => range.replaceAll(/[\s"]/g, "").split(";"))
  const isAccepted = ranges.some(
    ([media, ...parameters]) =>
      media === "application/openmetrics-text" &&
      parameters.includes("version=1.0.0") &&
      !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  )
  return isAccepted && !ranges.some(([media]) => media === "text/plain")
}

/** Text unless JSON is preferred: a scraper reports a target as down when it gets a type that it did not ask for. */
export const negotiate = (accept: string | undefined): Exporter => {
  if (acceptsOpenMetrics(accept)) return OpenMetrics.exporter
  const type = Accept.preferred(accept, ["text/plain", "application/json"])
  return type === "application/json" ? Json.exporter : Prometheus.exporter
}

// A snapshot as OpenMetrics text, version 1.0.0: stricter than the Prometheus exposition in its names and numbers.
import { exemplarText, histogramOf, histogramSamples, number, summaries } from "./internal/export/Exposition.ts"
import type { Exporter } from "./Observability.ts"
import type { Distribution, Metric, Sample } from "./internal/snapshot/Series.ts"
import type { Snapshot } from "./Snapshot.ts"

const contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

/** A snapshot as text that ends in `# EOF`. */
const encode = (snapshot: Snapshot): string => {
  let text = ""
  const { parts, printed } = summaries(snapshot.metrics)
  for (const [name, metric] of snapshot.metrics) {
    if (printed.has(name)) continue
    const sums = parts.get(name)
    const [family, type] = sums === undefined ? familyOf(name, metric.type, snapshot) : [name, "summary"]
    const lines =
      (metric.type === "histogram"
        ? metric.series.map((series) => distribution(name, series)).join("")
        : metric.series.map((series) => sample(name, type, series)).join("")) +
      (sums ?? []).map((part) => sumsOf(snapshot, part)).join("")
    if (lines === "") continue
    const help = metric.help === "" ? name : escapeHelp(metric.help)
    text += `# HELP ${family} ${help}\n# TYPE ${family} ${type}\n${lines}`
  }
  return `${text}# EOF\n`
}

/**
 * OpenMetrics for `Observability.export` and `dump`.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
 * import { Effect } from "effect"
 * import { Fleet, OpenMetrics } from "effect-framework/observability"
 *
 * // `/metrics` has this format, the one with exemplars, only for those who ask for it. This route always has it.
 * const scrape = Effect.gen(function* () {
 *   const fleet = yield* Fleet.Fleet
 *   const { snapshot } = yield* fleet.gather
 *   const { contentType, export: encode } = OpenMetrics.exporter
 *   return HttpServerResponse.text(encode(snapshot), { contentType })
 * })
 *
 * export const route = HttpLayerRouter.route("GET", "/openmetrics", scrape)
 * ```
 */
export const exporter: Exporter = { contentType, export: encode }

// The family of a counter is its name without `_total`. When the name has no `_total`, or the family would clash with
// another metric, the type is `unknown`, so that a series has the same name in both formats.
const familyOf = (name: string, type: Metric["type"], { metrics }: Snapshot): readonly [string, string] => {
  if (type !== "counter") return [name, type]
  const family = name.endsWith("_total") ? name.slice(0, -"_total".length) : ""
  const taken =
    metrics.get(histogramOf(family) ?? "")?.type === "histogram" ||
    [family, `${family}_created`, ...histogramSamples(family)].some((other) => metrics.has(other))
  return family === "" || taken ? [name, "unknown"] : [family, "counter"]
}

const escapeHelp = (help: string): string =>
  help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"')

// OpenMetrics forbids a counter that is NaN or negative.
const sample = (name: string, type: string, { labels, value }: Sample): string => {
  if (type === "counter" && !(value >= 0)) return ""
  return `${name}${labels.text === "" ? "" : `{${labels.text}}`} ${number(value)}\n`
}

// The sum or the count of a summary, which OpenMetrics forbids to be negative or NaN.
const sumsOf = ({ metrics }: Snapshot, name: string): string => {
  const metric = metrics.get(name)
  if (metric === undefined || metric.type === "histogram") return ""
  return metric.series.map((series) => sample(name, "counter", series)).join("")
}

// With negative observations the sum can decrease, and OpenMetrics then forbids both sum and count.
const distribution = (name: string, { bounds, count, counts, exemplars, labels, sum }: Distribution): string => {
  const own = labels.text === "" ? "" : `${labels.text},`
  const braced = labels.text === "" ? "" : `{${labels.text}}`
  const shown = new Map(exemplars?.map((exemplar) => [exemplar.bucket, exemplarText(exemplar)]))
  const lines = bounds.map(
    (bound, index) => `${name}_bucket{${own}le="${canonical(bound)}"} ${counts[index]}${shown.get(index) ?? ""}\n`
  )
  lines.push(`${name}_bucket{${own}le="+Inf"} ${count}${shown.get(bounds.length) ?? ""}\n`)
  if ((bounds[0] ?? 0) >= 0 && sum >= 0) {
    lines.push(`${name}_sum${braced} ${number(sum)}\n${name}_count${braced} ${count}\n`)
  }
  return lines.join("")
}

// 1 is `1.0` and a million is `1e+06`: bounds are labels, and labels are compared as strings.
const canonical = (bound: number): string => {
  const magnitude = Math.abs(bound)
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e6)) {
    return bound.toExponential().replace(/e([+-])(\d)$/, "e$10$2")
  }
  return Number.isInteger(bound) ? `${bound}.0` : String(bound)
}

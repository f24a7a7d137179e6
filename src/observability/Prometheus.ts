// A snapshot as the Prometheus text exposition, version 0.0.4.
import { Either } from "effect"
import { isName, number, summaries } from "./internal/export/Exposition.ts"
import type { InvalidInstrument } from "./Instrument.ts"
import { refuse } from "./internal/InstrumentRules.ts"
import type { Exporter } from "./Observability.ts"
import type { Distribution, Sample } from "./internal/snapshot/Series.ts"
import type { Snapshot } from "./Snapshot.ts"

const contentType = "text/plain; version=0.0.4; charset=utf-8"

/** A snapshot as text. */
const encode = (snapshot: Snapshot): string => encodeIn(snapshot, "")

const encodeIn = (snapshot: Snapshot, namespace: string): string => {
  const prefix = namespace === "" ? "" : `${namespace}_`
  const { parts, printed } = summaries(snapshot.metrics)
  let text = ""
  for (const [bare, metric] of snapshot.metrics) {
    const sums = parts.get(bare)
    if (printed.has(bare) || (sums === undefined && metric.series.length === 0)) continue
    const name = prefix + bare
    const type = sums === undefined ? metric.type : "summary"
    // An empty help fails `promtool check metrics`.
    text += `# HELP ${name} ${metric.help === "" ? name : escapeHelp(metric.help)}\n# TYPE ${name} ${type}\n`
    if (metric.type === "histogram") for (const series of metric.series) text += distribution(name, series)
    else for (const series of metric.series) text += sample(name, series)
    for (const part of sums ?? []) for (const series of samplesOf(snapshot, part)) text += sample(prefix + part, series)
  }
  return text
}

/** The Prometheus text for `Observability.export` and `dump`. */
export const exporter: Exporter = { contentType, export: encode }

/**
 * An exporter that prefixes every name: the namespace `app` prints `app_http_requests_total`.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Observability, Prometheus } from "effect-framework/observability"
 *
 * // `cups_total` is printed as `teapots_cups_total`.
 * export const text = Effect.gen(function* () {
 *   const observability = yield* Observability.Observability
 *   const exporter = yield* Prometheus.exporterWith("teapots")
 *   return yield* observability.export(exporter)
 * })
 * ```
 */
export const exporterWith = (namespace: string): Either.Either<Exporter, InvalidInstrument> =>
  namespace === "" || isName(namespace)
    ? Either.right({ contentType, export: (snapshot) => encodeIn(snapshot, namespace) })
    : refuse(namespace, "a namespace is letters, digits, _ and :, and does not begin with a digit")

const samplesOf = ({ metrics }: Snapshot, name: string): ReadonlyArray<Sample> => {
  const metric = metrics.get(name)
  return metric === undefined || metric.type === "histogram" ? [] : metric.series
}

const escapeHelp = (help: string): string =>
  /[\\\n]/.test(help) ? help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n") : help

const sample = (name: string, { labels, value }: Sample): string =>
  labels.text === "" ? `${name} ${number(value)}\n` : `${name}{${labels.text}} ${number(value)}\n`

const distribution = (name: string, { bounds, count, counts, labels, sum }: Distribution): string => {
  const own = labels.text === "" ? "" : `${labels.text},`
  const braced = labels.text === "" ? "" : `{${labels.text}}`
  let text = ""
  for (let index = 0; index < bounds.length; index++) {
    text += `${name}_bucket{${own}le="${bounds[index]}"} ${counts[index]}\n`
  }
  text += `${name}_bucket{${own}le="+Inf"} ${count}\n`
  return `${text}${name}_sum${braced} ${number(sum)}\n${name}_count${braced} ${count}\n`
}

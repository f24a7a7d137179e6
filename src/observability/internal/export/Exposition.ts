// Names and numbers as the text expositions print them.
import type { Exemplar } from "../snapshot/Exemplar.ts"
import type { Metric } from "../snapshot/Series.ts"

const nameRule = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/

/** Whether a metric may have this name. */
export const isName = (text: string): boolean => nameRule.test(text)

const suffixes = ["_bucket", "_sum", "_count"] as const

/** The names of the samples that a histogram prints. */
export const histogramSamples = (name: string): ReadonlyArray<string> => suffixes.map((suffix) => name + suffix)

/** The name of the histogram that would print a sample of this name; `undefined` when none would. */
export const histogramOf = (name: string): string | undefined => {
  const suffix = suffixes.find((candidate) => name.endsWith(candidate))
  return suffix === undefined ? undefined : name.slice(0, -suffix.length)
}

/** A number in the exposition's notation, including infinities and NaN. */
export const number = (value: number): string => {
  if (Number.isFinite(value)) return Object.is(value, -0) ? "-0" : String(value)
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"
}

/** What OpenMetrics prints behind the sample of a bucket: ` # {trace_id="…"} 0.25 1700000000.5`. */
export const exemplarText = ({ timestamp, trace, value }: Exemplar): string =>
  ` # {trace_id="${trace}"} ${number(value)} ${number(timestamp)}`

// Quantiles with their sum and count are three metrics in a snapshot; the text formats print them as one summary.
type Metrics = ReadonlyMap<string, Metric>

const summarySuffixes = ["_sum", "_count"] as const

const isSummary = (metrics: Metrics, name: string, { series, type }: Metric): boolean =>
  type === "gauge" &&
  summarySuffixes.every((suffix) => metrics.get(name + suffix)?.type === "counter") &&
  series.every(({ labels }) => Object.hasOwn(labels.record, "quantile"))

/** The summaries by name, and the names of the metrics that are printed with them. */
interface Summaries {
  readonly parts: ReadonlyMap<string, ReadonlyArray<string>>
  readonly printed: ReadonlySet<string>
}

/** The summaries among the metrics. */
export const summaries = (metrics: Metrics): Summaries => {
  const parts = new Map<string, ReadonlyArray<string>>()
  const printed = new Set<string>()
  for (const [name, metric] of metrics) {
    if (!isSummary(metrics, name, metric)) continue
    const names = summarySuffixes.map((suffix) => name + suffix)
    parts.set(name, names)
    for (const part of names) printed.add(part)
  }
  return { parts, printed }
}

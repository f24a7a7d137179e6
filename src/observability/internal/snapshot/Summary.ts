// Quantiles with their sum and count are three metrics in a snapshot; the text formats print them as one summary.
import type { Metric } from "./Series.ts"

type Metrics = ReadonlyMap<string, Metric>

const suffixes = ["_sum", "_count"] as const

const isSummary = (metrics: Metrics, name: string, { series, type }: Metric): boolean =>
  type === "gauge" &&
  suffixes.every((suffix) => metrics.get(name + suffix)?.type === "counter") &&
  series.every(({ labels }) => Object.hasOwn(labels.record, "quantile"))

/** The summaries by name, and the names of the metrics that are printed with them. */
export interface Summaries {
  readonly parts: ReadonlyMap<string, ReadonlyArray<string>>
  readonly printed: ReadonlySet<string>
}

/** The summaries among the metrics. */
export const find = (metrics: Metrics): Summaries => {
  const parts = new Map<string, ReadonlyArray<string>>()
  const printed = new Set<string>()
  for (const [name, metric] of metrics) {
    if (!isSummary(metrics, name, metric)) continue
    const names = suffixes.map((suffix) => name + suffix)
    parts.set(name, names)
    for (const part of names) printed.add(part)
  }
  return { parts, printed }
}

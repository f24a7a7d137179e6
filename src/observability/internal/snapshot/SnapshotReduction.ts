// Snapshots with less in them: without gauges, without the ids of dead processes, with a limited number of series.
import * as Labels from "../../Labels.ts"
import { withConflicts } from "./MetricMerge.ts"
import type { Distribution, Metric, Sample, Series } from "./Series.ts"
import { overflow } from "./SeriesLimit.ts"
import { addDistributions, addSamples, byLabels, joinOf } from "./SeriesMerge.ts"
import type { Snapshot } from "../../Snapshot.ts"

/** The `pid` under which the counters of dead processes are summed. */
const retiredPid = "retired"

/** Counters and histograms only: a gauge means nothing once its process has ended. */
export const withoutGauges = (self: Snapshot): Snapshot => ({
  timestamp: self.timestamp,
  metrics: new Map([...self.metrics].filter(([, { type }]) => type !== "gauge"))
})

type AddDistributions = (x: Distribution, y: Distribution) => Distribution

// Each metric as `reduce` leaves it, with the conflicts of histograms counted.
const reduced = (
  { metrics, timestamp }: Snapshot,
  reduce: (metric: Metric, add: AddDistributions) => Metric
): Snapshot => {
  let conflicts = 0
  const add: AddDistributions = (x, y) => addDistributions(x, y) ?? (conflicts++, x)
  const all = new Map(Array.from(metrics, ([name, metric]) => [name, reduce(metric, add)]))
  return { timestamp, metrics: withConflicts(all, conflicts) }
}

/**
 * The counters and histograms of a process that has ended. Series with its `pid` are summed as `pid="retired"`, so that
 * their number does not grow with the number of processes that ever ran. Values that are not finite are dropped.
 */
export const retired = (self: Snapshot): Snapshot =>
  reduced(withoutGauges(self), (given, add) => {
    const metric = onlyFinite(given)
    if (!metric.series.some(({ labels }) => hasPid(labels))) return metric
    return metric.type === "histogram"
      ? { ...metric, series: sumByPid(metric.series, add) }
      : { ...metric, series: sumByPid(metric.series, addSamples) }
  })

/** At most `limit` series for each name; the others are summed in the overflow series. */
export const limited = (self: Snapshot, limit: number): Snapshot =>
  reduced(self, (metric, add) => {
    if (metric.series.length <= limit) return metric
    if (metric.type === "histogram") return { ...metric, series: sumBeyond(metric.series, limit, add) }
    const join = joinOf(metric.type === "gauge" ? metric.aggregation : undefined)
    return { ...metric, series: sumBeyond(metric.series, limit, join) }
  })

const sumBeyond = <S extends Series>(
  series: ReadonlyArray<S>,
  limit: number,
  add: (x: S, y: S) => S
): ReadonlyArray<S> => {
  const regular = series.filter(({ labels }) => labels.text !== overflow.text)
  const beyond = series.filter(({ labels }) => labels.text === overflow.text)
  for (const item of regular.slice(limit)) beyond.push({ ...item, labels: overflow })
  const kept = regular.slice(0, limit)
  if (beyond.length > 0) kept.push(beyond.reduce(add))
  return kept.sort(byLabels)
}

// A dead process cannot correct its value: one that is not finite would spoil the sum for good.
const onlyFinite = (metric: Metric): Metric => {
  if (metric.type === "histogram") {
    const isFinite = ({ sum }: Distribution) => Number.isFinite(sum)
    const series = metric.series.every(isFinite) ? metric.series : metric.series.filter(isFinite)
    // Its traces are soon deleted.
    return { ...metric, series: series.map(withoutExemplars) }
  }
  const isFinite = ({ value }: Sample) => Number.isFinite(value)
  return metric.series.every(isFinite) ? metric : { ...metric, series: metric.series.filter(isFinite) }
}

const withoutExemplars = (series: Distribution): Distribution => {
  if (series.exemplars === undefined) return series
  const { bounds, count, counts, labels, sum } = series
  return { labels, bounds, counts, sum, count }
}

const hasPid = ({ record }: Labels.Labels): boolean => Object.hasOwn(record, "pid") && record["pid"] !== retiredPid

const sumByPid = <S extends Series>(series: ReadonlyArray<S>, add: (x: S, y: S) => S): ReadonlyArray<S> => {
  const sums = new Map<string, S>()
  for (const item of series) {
    const labels = hasPid(item.labels) ? Labels.of({ ...item.labels.record, pid: retiredPid }) : item.labels
    const other = sums.get(labels.text)
    sums.set(labels.text, other === undefined ? { ...item, labels } : add(other, item))
  }
  return [...sums.values()].sort(byLabels)
}

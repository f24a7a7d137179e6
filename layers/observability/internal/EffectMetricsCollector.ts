// Collects the metrics that a program makes with Effect's `Metric`.
import { Effect, Metric, MetricKeyType, type MetricPair, MetricState, Option } from "effect"
import type { Collector } from "../../../src/observability/Observability.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import type { Series, Type } from "../../../src/observability/internal/snapshot/Series.ts"
import { maxSeries } from "../../../src/observability/internal/snapshot/SeriesLimit.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import * as SnapshotReduction from "../../../src/observability/internal/snapshot/SnapshotReduction.ts"

const snakeCase = (name: string): string =>
  /[a-z][A-Z]/.test(name) ? name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase() : name

const total = "_total"

/** The name of a metric of this type. Colons are left to the rules of a Prometheus server. */
export const metricName = (name: string, type: Type): string => {
  const printable = snakeCase(name.replaceAll(/[^a-zA-Z0-9_]/g, "_")).replace(/^(?![a-zA-Z_])/, "_")
  if (type === "counter") return printable.endsWith(total) ? printable : printable + total
  return printable.replace(/(?:_total)+$/, "") || "_"
}

/** The name of a label. Names that begin with two underscores are reserved for the scraper. */
export const labelName = (name: string): string =>
  snakeCase(name.replaceAll(/[^a-zA-Z0-9_]/g, "_"))
    .replace(/^_{2,}/, "_")
    .replace(/^(?![a-zA-Z_])/, "_")

/** Effect's metrics, with the same limit of series as all others. */
export const collector: Collector = {
  name: "effect",
  collect: Effect.map(Metric.snapshot, (pairs) => {
    const all = SnapshotReduction.limited(Snapshot.make(0, sumEqual(pairs.flatMap(readings))), maxSeries)
    return Array.from(all.metrics, ([name, metric]) => ({ name, ...metric }))
  })
}

// Effect distinguishes `{a, b}` from `{b, a}`, and `a.b` from `a_b`. Here they are one series, so they are added up.
const sumEqual = (all: ReadonlyArray<Snapshot.Reading>): Iterable<Snapshot.Reading> => {
  const sums = new Map<string, Snapshot.Reading>()
  for (const reading of all) {
    const { name, type } = reading
    const key = `${type} ${name}{${reading.series[0]?.labels.text}}`
    const other = sums.get(key)
    const sum = other && Snapshot.merge(Snapshot.make(0, [other]), Snapshot.make(0, [reading])).metrics.get(name)
    sums.set(key, sum === undefined ? reading : { name, ...sum })
  }
  return sums.values()
}

/** Effect's built-in metrics, renamed as Prometheus names counters. */
const builtIn: Readonly<Record<string, readonly [name: string, help: string]>> = {
  effect_fiber_started: ["effect_fiber_started_total", "Fibers started"],
  effect_fiber_successes: ["effect_fiber_successes_total", "Fibers that succeeded"],
  effect_fiber_failures: ["effect_fiber_failures_total", "Fibers that failed or were interrupted"],
  effect_fiber_active: ["effect_fiber_active", "Running fibers"],
  effect_fiber_lifetimes: ["effect_fiber_lifetimes", "Lifetimes of fibers"]
}

const readings = ({ metricKey, metricState }: MetricPair.MetricPair.Untyped): ReadonlyArray<Snapshot.Reading> => {
  const known = Object.hasOwn(builtIn, metricKey.name) ? builtIn[metricKey.name] : undefined
  const help = known?.[1] ?? Option.getOrElse(metricKey.description, () => "")
  const nameOf = (type: Type): string => known?.[0] ?? metricName(metricKey.name, type)
  const tags = Object.fromEntries(metricKey.tags.map(({ key, value }) => [labelName(key), value]))
  const labelled = (own: Readonly<Record<string, string>>) => Labels.of({ ...renamed(tags, own), ...own })
  const one = (type: Type, series: Series) => ({ name: nameOf(type), type, help, series: [series] })

  if (MetricState.isCounterState(metricState)) {
    // A counter that may decrease is a gauge, unless its name ends in `_total`.
    const incremental = MetricKeyType.isCounterKey(metricKey.keyType) && metricKey.keyType.incremental
    const isCounter = incremental || metricKey.name.endsWith("_total")
    return [one(isCounter ? "counter" : "gauge", { labels: labelled({}), value: Number(metricState.count) })]
  }
  if (MetricState.isGaugeState(metricState)) {
    return [one("gauge", { labels: labelled({}), value: Number(metricState.value) })]
  }
  if (MetricState.isFrequencyState(metricState)) {
    return Array.from(metricState.occurrences, ([key, value]) => one("counter", { labels: labelled({ key }), value }))
  }
  if (MetricState.isHistogramState(metricState)) {
    const { buckets, count, sum } = metricState
    const finite = buckets.filter(([bound], index) => Number.isFinite(bound) && bound !== buckets[index - 1]?.[0])
    const bounds = finite.map(([bound]) => bound)
    const labels = Labels.of(renamed(tags, { le: "" }))
    return [one("histogram", { labels, bounds, counts: finite.map(([, total]) => total), sum, count })]
  }
  if (!MetricState.isSummaryState(metricState)) return []
  const name = nameOf("gauge")
  // The quantiles of two processes cannot be added, so they are labelled with `pid`.
  const quantiles = metricState.quantiles.flatMap(([quantile, value]) =>
    Option.isNone(value)
      ? []
      : [{ labels: labelled({ quantile: String(quantile), pid: String(process.pid) }), value: value.value }]
  )
  const sums = [["_sum", metricState.sum] as const, ["_count", metricState.count] as const]
  return [
    // Without values too: it marks the sums as those of a summary.
    { name, type: "gauge", help, series: quantiles },
    ...sums.map(([suffix, value]) => ({
      name: name + suffix,
      type: "counter" as const,
      help,
      series: [{ labels: labelled({}), value }]
    }))
  ]
}

/** A label of the program that has the name of one of ours is renamed, so that its value is kept. */
const renamed = (tags: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(tags).map(([name, value]) => [Object.hasOwn(own, name) ? `exported_${name}` : name, value])
  )

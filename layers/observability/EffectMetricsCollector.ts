// The metrics that a program makes with Effect's own `Metric`, in the same snapshot.
import { Effect, Metric, MetricKeyType, type MetricPair, MetricState, Option } from "effect"
import type { Collector } from "../../src/observability/Collector.ts"
import { maxSeries } from "../../src/observability/Family.ts"
import * as Labels from "../../src/observability/Labels.ts"
import type { Series, Type } from "../../src/observability/Series.ts"
import * as Snapshot from "../../src/observability/Snapshot.ts"

/** Effect's metrics at each snapshot, bounded like all others. */
export const collector: Collector = {
  name: "effect",
  collect: Effect.map(Metric.snapshot, (pairs) => {
    const all = Snapshot.bounded(Snapshot.make(0, added(pairs.flatMap(readings))), maxSeries)
    return Array.from(all.metrics, ([name, metric]) => ({ name, ...metric }))
  })
}

// Effect tells `{a, b}` from `{b, a}`, and `a.b` from `a_b`; here each is one series, so they are added up.
const added = (all: ReadonlyArray<Snapshot.Reading>): Iterable<Snapshot.Reading> => {
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

/** What Effect counts by itself, under names that say what they are to a scraper. */
const builtIn: Readonly<Record<string, readonly [name: string, help: string]>> = {
  effect_fiber_started: ["effect_fiber_started_total", "Fibers started"],
  effect_fiber_successes: ["effect_fiber_successes_total", "Fibers that ended well"],
  effect_fiber_failures: ["effect_fiber_failures_total", "Fibers that failed or were interrupted"],
  effect_fiber_active: ["effect_fiber_active", "Fibers that run"],
  effect_fiber_lifetimes: ["effect_fiber_lifetimes", "How long fibers lived"]
}

const readings = ({ metricKey, metricState }: MetricPair.MetricPair.Untyped): ReadonlyArray<Snapshot.Reading> => {
  const known = Object.hasOwn(builtIn, metricKey.name) ? builtIn[metricKey.name] : undefined
  const [name, help] = known ?? [printable(metricKey.name), Option.getOrElse(metricKey.description, () => "")]
  const tags = Object.fromEntries(metricKey.tags.map(({ key, value }) => [printableLabel(key), value]))
  const labelled = (own: Readonly<Record<string, string>>) => Labels.of({ ...renamed(tags, own), ...own })
  const one = (type: Type, series: Series, suffix = "") => ({ name: name + suffix, type, help, series: [series] })

  if (MetricState.isCounterState(metricState)) {
    // One that may also fall is a gauge, unless its name promises otherwise.
    const incremental = MetricKeyType.isCounterKey(metricKey.keyType) && metricKey.keyType.incremental
    const grows = incremental || name.endsWith("_total")
    return [one(grows ? "counter" : "gauge", { labels: labelled({}), value: Number(metricState.count) })]
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
  // The quantiles of two processes cannot be added: they carry the process.
  const quantiles = metricState.quantiles.flatMap(([quantile, value]) =>
    Option.isNone(value)
      ? []
      : [
          one("gauge", {
            labels: labelled({ quantile: String(quantile), pid: String(process.pid) }),
            value: value.value
          })
        ]
  )
  return [
    ...quantiles,
    one("counter", { labels: labelled({}), value: metricState.sum }, "_sum"),
    one("counter", { labels: labelled({}), value: metricState.count }, "_count")
  ]
}

// What the exposition cannot print becomes an underscore.
const printable = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_:]/g, "_").replace(/^(?![a-zA-Z_:])/, "_")

const printableLabel = (name: string): string =>
  name
    .replaceAll(/[^a-zA-Z0-9_]/g, "_")
    .replace(/^_{2,}/, "_")
    .replace(/^(?![a-zA-Z_])/, "_")

/** A label of the program's that stands where ours must keeps its value under another name. */
const renamed = (tags: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(tags).map(([name, value]) => [Object.hasOwn(own, name) ? `exported_${name}` : name, value])
  )

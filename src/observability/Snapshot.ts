// Everything that was measured at one moment, and how several of them become one.
import { conflicts, histogramOf, histogramParts } from "./Instrument.ts"
import * as Labels from "./Labels.ts"
import { type Distribution, isDistribution, type Metric, type Sample, type Series, type Type } from "./Series.ts"

/** All metrics of one moment. */
export interface Snapshot {
  /** Epoch seconds. */
  readonly timestamp: number
  /** By name, in the order of the names; the series of each in the order of their labels. */
  readonly metrics: ReadonlyMap<string, Metric>
}

/** What one instrument, or one line of a collector, says about a name. */
export interface Reading {
  readonly name: string
  readonly type: Type
  readonly help: string
  readonly series: ReadonlyArray<Series>
}

/** Nothing measured: the start of a merge. */
export const empty: Snapshot = { timestamp: 0, metrics: new Map() }

/** A snapshot of readings in any order; what cannot stand beside an earlier reading is counted as a conflict. */
export const make = (timestamp: number, readings: Iterable<Reading>): Snapshot => {
  const groups = new Map<string, { readonly type: Type; help: string; readonly parts: Array<ReadonlyArray<Series>> }>()
  let refused = 0
  for (const { help, name, series, type } of readings) {
    const group = groups.get(name)
    if (group === undefined) {
      if (clashes(groups, name, type)) refused++
      else groups.set(name, { type, help, parts: [series] })
    } else if (group.type === type) {
      group.help = sayingMore(group.help, help)
      group.parts.push(series)
    } else refused++
  }
  const metrics = new Map<string, Metric>()
  for (const [name, { help, parts, type }] of [...groups].sort(([a], [b]) => order(a, b))) {
    const series = parts.length === 1 ? (parts[0] ?? []) : parts.flat()
    const unique = ascending(series)
    refused += series.length - unique.length
    metrics.set(name, metric(type, help, unique))
  }
  return noting({ timestamp, metrics }, refused)
}

/** A metric of the series that fit its type. */
export const metric = (type: Type, help: string, series: ReadonlyArray<Series>): Metric =>
  type === "histogram"
    ? { type, help, series: series.filter(isDistribution) }
    : { type, help, series: series.filter((item): item is Sample => !isDistribution(item)) }

/**
 * Sums what is the same series and puts the rest side by side. Another type under the same name, other bounds in the
 * same series: the first is kept, and the conflict is counted.
 */
export const merge = (self: Snapshot, that: Snapshot): Snapshot => {
  let refused = 0
  const both = (left: Named, right: Named): Named => {
    const [name, mine] = left
    const help = sayingMore(mine.help, right[1].help)
    if (mine.type === "histogram") {
      if (right[1].type !== "histogram") return (refused++, left)
      const series = zip(mine.series, right[1].series, labelText, (x, y) => addDistributions(x, y) ?? (refused++, x))
      return [name, { type: mine.type, help, series }]
    }
    if (right[1].type !== mine.type) return (refused++, left)
    return [name, { type: mine.type, help, series: zip(mine.series, right[1].series, labelText, addSamples) }]
  }
  const welcome = [...that.metrics].filter(([name, { type }]) => {
    const clash = !self.metrics.has(name) && clashes(self.metrics, name, type)
    if (clash) refused++
    return !clash
  })
  const metrics = new Map(zip([...self.metrics], welcome, ([name]) => name, both))
  return noting({ timestamp: Math.max(self.timestamp, that.timestamp), metrics }, refused)
}

/** One snapshot of many: the sum of each series, and the latest time. */
export const mergeAll = (snapshots: Iterable<Snapshot>): Snapshot => {
  let all = empty
  for (const snapshot of snapshots) all = merge(all, snapshot)
  return all
}

/** What stays true when the process that measured it is gone: counters and histograms, not gauges. */
export const withoutGauges = (self: Snapshot): Snapshot => ({
  timestamp: self.timestamp,
  metrics: new Map([...self.metrics].filter(([, { type }]) => type !== "gauge"))
})

/**
 * What stays of a process that has ended: counters and histograms. Series that carry its `pid` are added up as
 * `pid="retired"`, so that their number does not grow with the number of processes that ever ran. What is not finite goes.
 */
export const retired = (self: Snapshot): Snapshot => {
  let refused = 0
  const add = (x: Distribution, y: Distribution) => addDistributions(x, y) ?? (refused++, x)
  const metrics = new Map<string, Metric>()
  for (const [name, whole] of withoutGauges(self).metrics) {
    const given = finite(whole)
    if (!given.series.some(({ labels }) => namesProcess(labels))) metrics.set(name, given)
    else if (given.type === "histogram") metrics.set(name, { ...given, series: withoutProcess(given.series, add) })
    else metrics.set(name, { ...given, series: withoutProcess(given.series, addSamples) })
  }
  return noting({ timestamp: self.timestamp, metrics }, refused)
}

/** At most so many series a name; those beyond are folded into the overflow series. */
export const bounded = (self: Snapshot, limit: number): Snapshot => {
  let refused = 0
  const metrics = new Map<string, Metric>()
  for (const [name, given] of self.metrics) {
    if (given.series.length <= limit) metrics.set(name, given)
    else if (given.type === "histogram") {
      const add = (x: Distribution, y: Distribution) => addDistributions(x, y) ?? (refused++, x)
      metrics.set(name, { ...given, series: fold(given.series, limit, add) })
    } else metrics.set(name, { ...given, series: fold(given.series, limit, addSamples) })
  }
  return noting({ timestamp: self.timestamp, metrics }, refused)
}

type Named = readonly [string, Metric]

const labelText = (series: Series): string => series.labels.text

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

// In the order of the labels; of two with the same labels the first.
const ascending = (series: ReadonlyArray<Series>): ReadonlyArray<Series> => {
  const inOrder = series.every((item, index) => index === 0 || labelText(item) > (series[index - 1]?.labels.text ?? ""))
  if (inOrder) return series
  return [...series]
    .sort((a, b) => order(a.labels.text, b.labels.text))
    .filter((item, index, sorted) => item.labels.text !== sorted[index - 1]?.labels.text)
}

// Which of two helps is kept must not depend on which came first.
const sayingMore = (a: string, b: string): string => (a === "" || (b !== "" && b < a) ? b : a)

const clashes = (present: ReadonlyMap<string, { readonly type: Type }>, name: string, type: Type): boolean => {
  const owner = histogramOf(name)
  if (owner !== undefined && present.get(owner)?.type === "histogram") return true
  return type === "histogram" && histogramParts(name).some((part) => present.has(part))
}

const addSamples = (x: Sample, y: Sample): Sample => ({ labels: x.labels, value: x.value + y.value })

const addDistributions = (x: Distribution, y: Distribution): Distribution | undefined => {
  const { bounds, counts, labels } = x
  if (bounds !== y.bounds) {
    if (bounds.length !== y.bounds.length) return undefined
    for (let index = 0; index < bounds.length; index++) if (bounds[index] !== y.bounds[index]) return undefined
  }
  const sums = counts.map((count, index) => count + (y.counts[index] ?? 0))
  return { labels, bounds, counts: sums, sum: x.sum + y.sum, count: x.count + y.count }
}

/** Two lists in the order of their keys as one; what has the same key is joined. */
const zip = <A>(
  left: ReadonlyArray<A>,
  right: ReadonlyArray<A>,
  key: (item: A) => string,
  join: (x: A, y: A) => A
): ReadonlyArray<A> => {
  if (left.length === 0) return right
  const all: Array<A> = []
  let at = 0
  for (const mine of left) {
    const mark = key(mine)
    let theirs = right[at]
    while (theirs !== undefined && key(theirs) !== mark && key(theirs) < mark) {
      all.push(theirs)
      theirs = right[++at]
    }
    if (theirs !== undefined && key(theirs) === mark) {
      all.push(join(mine, theirs))
      at++
    } else all.push(mine)
  }
  while (at < right.length) {
    const theirs = right[at++]
    if (theirs !== undefined) all.push(theirs)
  }
  return all
}

const fold = <S extends Series>(series: ReadonlyArray<S>, limit: number, add: (x: S, y: S) => S): ReadonlyArray<S> => {
  const known = series.filter(({ labels }) => labels.text !== Labels.overflow.text)
  const beyond = series.filter(({ labels }) => labels.text === Labels.overflow.text)
  for (const item of known.slice(limit)) beyond.push({ ...item, labels: Labels.overflow })
  const kept = known.slice(0, limit)
  if (beyond.length > 0) kept.push(beyond.reduce(add))
  return kept.sort((a, b) => order(a.labels.text, b.labels.text))
}

// A dead process cannot correct itself: what is not finite would spoil the sum for ever.
const finite = (given: Metric): Metric => {
  if (given.type === "histogram") {
    const isFinite = ({ sum }: Distribution) => Number.isFinite(sum)
    return given.series.every(isFinite) ? given : { ...given, series: given.series.filter(isFinite) }
  }
  const isFinite = ({ value }: Sample) => Number.isFinite(value)
  return given.series.every(isFinite) ? given : { ...given, series: given.series.filter(isFinite) }
}

const namesProcess = ({ record }: Labels.Labels): boolean =>
  Object.hasOwn(record, "pid") && record["pid"] !== Labels.retiredProcess

const withoutProcess = <S extends Series>(series: ReadonlyArray<S>, add: (x: S, y: S) => S): ReadonlyArray<S> => {
  const sums = new Map<string, S>()
  for (const item of series) {
    const labels = namesProcess(item.labels)
      ? Labels.of({ ...item.labels.record, pid: Labels.retiredProcess })
      : item.labels
    const other = sums.get(labels.text)
    sums.set(labels.text, other === undefined ? { ...item, labels } : add(other, item))
  }
  return [...sums.values()].sort((a, b) => order(a.labels.text, b.labels.text))
}

const noting = (self: Snapshot, refused: number): Snapshot => {
  if (refused === 0) return self
  const series: ReadonlyArray<Sample> = [{ labels: Labels.none, value: refused }]
  const help = "Series left out because another of their name came first"
  return merge(self, { timestamp: self.timestamp, metrics: new Map([[conflicts, { type: "counter", help, series }]]) })
}

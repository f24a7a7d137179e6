// Adds, sorts and joins the series of a metric.
import * as Exemplar from "./Exemplar.ts"
import { histogramOf, histogramSamples } from "../export/Exposition.ts"
import * as Labels from "../../Labels.ts"
import {
  type Aggregation,
  type Distribution,
  isDistribution,
  type Metric,
  type Sample,
  type Series,
  type Type
} from "./Series.ts"

/** Compares by UTF-16 code units. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The rendered labels of a series: its key and its sort order. */
export const labelText = (series: Series): string => series.labels.text

/** Sorts series by their labels. */
export const byLabels = (a: Series, b: Series): number => compare(a.labels.text, b.labels.text)

/** Sorted by labels; of two series with the same labels the first is kept. */
export const sortUnique = (series: ReadonlyArray<Series>): ReadonlyArray<Series> => {
  const isSorted = series.every(
    (item, index) => index === 0 || labelText(item) > (series[index - 1]?.labels.text ?? "")
  )
  if (isSorted) return series
  return [...series].sort(byLabels).filter((item, index, sorted) => item.labels.text !== sorted[index - 1]?.labels.text)
}

/** A metric with those of the series that fit its type. */
export const metric = (type: Type, help: string, series: ReadonlyArray<Series>, aggregation?: Aggregation): Metric => {
  if (type === "histogram") return { type, help, series: series.filter(isDistribution) }
  const samples = series.filter((item): item is Sample => !isDistribution(item))
  return type === "counter" || aggregation === undefined
    ? { type, help, series: samples }
    : { type, help, series: samples, aggregation }
}

/** One of two help texts; the same one in either order. */
export const mergeHelp = (a: string, b: string): string => (a === "" || (b !== "" && b < a) ? b : a)

/** Whether a metric and a histogram among the present ones would print samples of the same name. */
export const clashes = (present: ReadonlyMap<string, { readonly type: Type }>, name: string, type: Type): boolean => {
  const histogram = histogramOf(name)
  if (histogram !== undefined && present.get(histogram)?.type === "histogram") return true
  return type === "histogram" && histogramSamples(name).some((sample) => present.has(sample))
}

/** The sum of two samples. */
export const addSamples = (x: Sample, y: Sample): Sample => ({ labels: x.labels, value: x.value + y.value })

/** The larger of two samples; one that is not a number counts for nothing. */
const maxSample = (x: Sample, y: Sample): Sample => (y.value > x.value || Number.isNaN(x.value) ? y : x)

/** How equal samples of two workers become one. */
export const joinOf = (aggregation: Aggregation | undefined): ((x: Sample, y: Sample) => Sample) =>
  aggregation === "max" ? maxSample : addSamples

/** The sum of two distributions; `undefined` when their bounds differ. */
export const addDistributions = (x: Distribution, y: Distribution): Distribution | undefined => {
  const { bounds, counts, labels } = x
  if (bounds !== y.bounds) {
    if (bounds.length !== y.bounds.length) return undefined
    for (let index = 0; index < bounds.length; index++) if (bounds[index] !== y.bounds[index]) return undefined
  }
  const sums = counts.map((count, index) => count + (y.counts[index] ?? 0))
  const sum = { labels, bounds, counts: sums, sum: x.sum + y.sum, count: x.count + y.count }
  const exemplars = Exemplar.merge(x.exemplars, y.exemplars)
  return exemplars === undefined ? sum : { ...sum, exemplars }
}

/** Merges two lists that are sorted by key; items with the same key are joined. */
export const mergeSorted = <A>(
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

/** The counter of merge conflicts as a metric. */
export const conflictCounter = (count: number): Metric => ({
  type: "counter",
  help: "Series left out because they conflict with another of the same name",
  series: [{ labels: Labels.of({}), value: count }]
})

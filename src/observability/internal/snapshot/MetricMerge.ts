// Merges the metrics of two snapshots by name, and counts what cannot be merged.
import { conflictsTotal } from "../InstrumentRules.ts"
import type { Aggregation, Distribution, Metric } from "./Series.ts"
import {
  addDistributions,
  clashes,
  conflictCounter,
  joinOf,
  labelText,
  mergeHelp,
  metric,
  mergeSorted
} from "./SeriesMerge.ts"

/** Metrics by name, sorted. */
type Metrics = ReadonlyMap<string, Metric>

const aggregationOf = (metric: Metric): Aggregation | undefined =>
  metric.type === "gauge" ? metric.aggregation : undefined

type Named = readonly [string, Metric]

/**
 * Adds up equal series and keeps the others side by side. On another type under the same name, or other bounds in the
 * same series, the first is kept and the conflict is counted.
 */
export const merge = (self: Metrics, that: Metrics): Metrics => {
  let conflicts = 0
  const add = (x: Distribution, y: Distribution) => addDistributions(x, y) ?? (conflicts++, x)
  const join = (left: Named, right: Named): Named => {
    const [name, mine] = left
    const help = mergeHelp(mine.help, right[1].help)
    if (mine.type === "histogram") {
      if (right[1].type !== "histogram") return (conflicts++, left)
      return [name, { type: mine.type, help, series: mergeSorted(mine.series, right[1].series, labelText, add) }]
    }
    const theirs = right[1]
    if (theirs.type === "histogram" || theirs.type !== mine.type) return (conflicts++, left)
    // Two versions of a program may disagree during a deployment: then it is `max` in either order.
    const aggregation = aggregationOf(mine) ?? aggregationOf(theirs)
    return [
      name,
      metric(mine.type, help, mergeSorted(mine.series, theirs.series, labelText, joinOf(aggregation)), aggregation)
    ]
  }
  const compatible = [...that].filter(([name, { type }]) => {
    const clash = !self.has(name) && clashes(self, name, type)
    if (clash) conflicts++
    return !clash
  })
  return withConflicts(new Map(mergeSorted([...self], compatible, ([name]) => name, join)), conflicts)
}

/** The metrics with this many conflicts added to their counter. */
export const withConflicts = (self: Metrics, count: number): Metrics =>
  count === 0 ? self : merge(self, new Map([[conflictsTotal, conflictCounter(count)]]))

// Merges the metrics of two snapshots by name, and counts what cannot be merged.
import { conflictsTotal } from "./InstrumentRules.ts"
import type { Distribution, Metric } from "./Series.ts"
import {
  addDistributions,
  addSamples,
  clashes,
  conflictCounter,
  labelText,
  mergeHelp,
  mergeSorted
} from "./SeriesMerge.ts"

/** Metrics by name, sorted. */
export type Metrics = ReadonlyMap<string, Metric>

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
    if (right[1].type !== mine.type) return (conflicts++, left)
    return [name, { type: mine.type, help, series: mergeSorted(mine.series, right[1].series, labelText, addSamples) }]
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

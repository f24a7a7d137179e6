// All metrics at one moment, and the merge of several snapshots.
import { Schema } from "effect"
import { conflictsTotal } from "./InstrumentRules.ts"
import type { Metric, Series, Type } from "./Series.ts"
import {
  addDistributions,
  addSamples,
  clashes,
  compare,
  conflictCounter,
  labelText,
  mergeHelp,
  mergeSorted,
  metric,
  sortUnique
} from "./SeriesMerge.ts"

/** All metrics at one moment. */
export interface Snapshot {
  /** Epoch seconds. */
  readonly timestamp: number
  /** By name, sorted; the series of each sorted by their labels. */
  readonly metrics: ReadonlyMap<string, Metric>
}

/** One instrument, or one metric of a collector, as it was read. */
export interface Reading {
  readonly name: string
  readonly type: Type
  readonly help: string
  readonly series: ReadonlyArray<Series>
}

/** A text that is not a snapshot: truncated, damaged or written by another program. */
export class InvalidSnapshot extends Schema.TaggedError<InvalidSnapshot>(
  "effect-framework/observability/InvalidSnapshot"
)("InvalidSnapshot", {
  reason: Schema.String
}) {
  override get message(): string {
    return `Not a snapshot: ${this.reason}`
  }
}

/** A snapshot without metrics: the neutral element of `merge`. */
export const empty: Snapshot = { timestamp: 0, metrics: new Map() }

/** A snapshot of readings in any order; a reading that conflicts with an earlier one is left out and counted. */
export const make = (timestamp: number, readings: Iterable<Reading>): Snapshot => {
  const groups = new Map<string, { readonly type: Type; help: string; readonly parts: Array<ReadonlyArray<Series>> }>()
  let conflicts = 0
  for (const { help, name, series, type } of readings) {
    const group = groups.get(name)
    if (group === undefined) {
      if (clashes(groups, name, type)) conflicts++
      else groups.set(name, { type, help, parts: [series] })
    } else if (group.type === type) {
      group.help = mergeHelp(group.help, help)
      group.parts.push(series)
    } else conflicts++
  }
  const metrics = new Map<string, Metric>()
  for (const [name, { help, parts, type }] of [...groups].sort(([a], [b]) => compare(a, b))) {
    const series = parts.length === 1 ? (parts[0] ?? []) : parts.flat()
    const unique = sortUnique(series)
    conflicts += series.length - unique.length
    metrics.set(name, metric(type, help, unique))
  }
  return withConflicts({ timestamp, metrics }, conflicts)
}

type Named = readonly [string, Metric]

/**
 * Adds up equal series and keeps the others side by side. On another type under the same name, or other bounds in the
 * same series, the first is kept and the conflict is counted.
 */
export const merge = (self: Snapshot, that: Snapshot): Snapshot => {
  let conflicts = 0
  const join = (left: Named, right: Named): Named => {
    const [name, mine] = left
    const help = mergeHelp(mine.help, right[1].help)
    if (mine.type === "histogram") {
      if (right[1].type !== "histogram") return (conflicts++, left)
      const add = (x: (typeof mine.series)[number], y: (typeof mine.series)[number]) =>
        addDistributions(x, y) ?? (conflicts++, x)
      return [name, { type: mine.type, help, series: mergeSorted(mine.series, right[1].series, labelText, add) }]
    }
    if (right[1].type !== mine.type) return (conflicts++, left)
    return [name, { type: mine.type, help, series: mergeSorted(mine.series, right[1].series, labelText, addSamples) }]
  }
  const compatible = [...that.metrics].filter(([name, { type }]) => {
    const clash = !self.metrics.has(name) && clashes(self.metrics, name, type)
    if (clash) conflicts++
    return !clash
  })
  const metrics = new Map(mergeSorted([...self.metrics], compatible, ([name]) => name, join))
  return withConflicts({ timestamp: Math.max(self.timestamp, that.timestamp), metrics }, conflicts)
}

/** The merge of all: the sum of each series, and the latest timestamp. */
export const mergeAll = (snapshots: Iterable<Snapshot>): Snapshot => {
  let all = empty
  for (const snapshot of snapshots) all = merge(all, snapshot)
  return all
}

const withConflicts = (self: Snapshot, count: number): Snapshot =>
  count === 0
    ? self
    : merge(self, { timestamp: self.timestamp, metrics: new Map([[conflictsTotal, conflictCounter(count)]]) })

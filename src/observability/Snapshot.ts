// All metrics at one moment, and the merge of several snapshots.
import { Schema } from "effect"
import * as MetricMerge from "./internal/snapshot/MetricMerge.ts"
import type { Aggregation, Metric, Series, Type } from "./internal/snapshot/Series.ts"
import { clashes, compare, mergeHelp, metric, sortUnique } from "./internal/snapshot/SeriesMerge.ts"

export type { Metric } from "./internal/snapshot/Series.ts"

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
  /** `max` for a gauge that the fleet must not add up. */
  readonly aggregation?: Aggregation | undefined
}

/**
 * A text that is not a snapshot: truncated, damaged or written by another program.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Json, Snapshot } from "effect-framework/observability"
 *
 * // An empty snapshot in place of a damaged one: `Snapshot.merge` adds nothing for it.
 * export const read = (file: string, text: string) =>
 *   Effect.catchTag(Json.decode(text), "InvalidSnapshot", ({ reason }: Snapshot.InvalidSnapshot) =>
 *     Effect.as(Effect.logWarning(`${file} is left out: ${reason}`), Snapshot.make(0, []))
 *   )
 * ```
 */
export class InvalidSnapshot extends Schema.TaggedError<InvalidSnapshot>(
  "effect-framework/observability/InvalidSnapshot"
)("InvalidSnapshot", {
  reason: Schema.String
}) {
  override get message(): string {
    return `Not a snapshot: ${this.reason}`
  }
}

interface Group {
  readonly type: Type
  help: string
  aggregation: Aggregation | undefined
  readonly parts: Array<ReadonlyArray<Series>>
}

/** A snapshot of readings in any order; a reading that conflicts with an earlier one is left out and counted. */
export const make = (timestamp: number, readings: Iterable<Reading>): Snapshot => {
  const groups = new Map<string, Group>()
  let conflicts = 0
  for (const { aggregation, help, name, series, type } of readings) {
    const group = groups.get(name)
    if (group === undefined) {
      if (clashes(groups, name, type)) conflicts++
      else groups.set(name, { type, help, aggregation, parts: [series] })
    } else if (group.type === type) {
      group.help = mergeHelp(group.help, help)
      group.aggregation ??= aggregation
      group.parts.push(series)
    } else conflicts++
  }
  const metrics = new Map<string, Metric>()
  for (const [name, { aggregation, help, parts, type }] of [...groups].sort(([a], [b]) => compare(a, b))) {
    const series = parts.length === 1 ? (parts[0] ?? []) : parts.flat()
    const unique = sortUnique(series)
    conflicts += series.length - unique.length
    metrics.set(name, metric(type, help, unique, aggregation))
  }
  return { timestamp, metrics: MetricMerge.withConflicts(metrics, conflicts) }
}

/**
 * Adds up equal series and keeps the others side by side; the timestamp is the later one. On another type under the same
 * name, or other bounds in the same series, the first is kept and the conflict is counted.
 */
export const merge = (self: Snapshot, that: Snapshot): Snapshot => ({
  timestamp: Math.max(self.timestamp, that.timestamp),
  metrics: MetricMerge.merge(self.metrics, that.metrics)
})

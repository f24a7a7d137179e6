// The snapshot file of a worker as a value, and the rules by which several become one.
import { Schema } from "effect"
import type { FleetSnapshot } from "../../Fleet.ts"
import { maxSeries } from "./SeriesLimit.ts"
import * as Snapshot from "../../Snapshot.ts"
import * as SnapshotReduction from "./SnapshotReduction.ts"

/** How often a worker writes its snapshot. */
export const dumpInterval = "10 seconds"

/** The gauges of a living worker whose snapshot is older than this are left out. */
export const defaultMaxAge = "60 seconds"

/** The worker that wrote a file. The kernel reuses process ids; this id is never used again. */
export const Origin = Schema.Struct({
  // The id becomes part of a file name: a file from elsewhere must not choose the directory.
  id: Schema.String.pipe(Schema.pattern(/^[\w-][\w.-]{0,199}$/)),
  /** Epoch seconds at which its counters started. */
  started: Schema.Finite,
  /** Files that were merged into this one, and must not be counted again if they are still there. */
  members: Schema.Array(Schema.String)
})
export type Origin = typeof Origin.Type

/** Whether the worker of a file is alive and reports. */
type WorkerStatus =
  /** Alive, with a recent snapshot: everything counts. */
  | "Serving"
  /** Alive, without a recent snapshot: counters and histograms count, gauges do not. */
  | "Silent"
  /** Dead: counters and histograms count, gauges do not. */
  | "Gone"

/** The contribution of one worker, or of several dead workers that were merged into one file. */
export interface FleetEntry {
  readonly origin: Origin
  readonly status: WorkerStatus
  readonly snapshot: Snapshot.Snapshot
}

/** The status of a worker, by the age of its file in seconds. After a clock change the age may be negative: still recent. */
export const workerStatus = (alive: boolean, age: number, maxAge: number): WorkerStatus => {
  if (!alive) return "Gone"
  return age > maxAge ? "Silent" : "Serving"
}

/**
 * Each contribution once. A crash between merging a file and removing it leaves both, and a reused process id can leave
 * two files of one origin: the merged file wins over its members, and the later over the earlier.
 */
export const distinct = <E extends FleetEntry>(entries: ReadonlyArray<E>): ReadonlyArray<E> => {
  const members = new Set(entries.flatMap(({ origin }) => origin.members))
  const latest = new Map<string, E>()
  for (const entry of entries) {
    const other = latest.get(entry.origin.id)
    if (members.has(entry.origin.id)) continue
    if (other === undefined || other.snapshot.timestamp < entry.snapshot.timestamp) latest.set(entry.origin.id, entry)
  }
  return [...latest.values()]
}

// A silent worker may report again, so its series keep their `pid`.
const reduce: Readonly<Record<WorkerStatus, (snapshot: Snapshot.Snapshot) => Snapshot.Snapshot>> = {
  Serving: (snapshot) => snapshot,
  Silent: SnapshotReduction.withoutGauges,
  Gone: SnapshotReduction.retired
}

/** The sum of all entries, each counted once. */
export const mergeEntries = (entries: ReadonlyArray<FleetEntry>): FleetSnapshot => {
  let snapshot = Snapshot.make(0, [])
  let started = Infinity
  for (const entry of distinct(entries)) {
    snapshot = Snapshot.merge(snapshot, reduce[entry.status](entry.snapshot))
    started = Math.min(started, entry.origin.started)
  }
  return { snapshot, started: Math.min(started, snapshot.timestamp) }
}

/**
 * Several dead workers as one entry. `present` is everything in the directory: a member is remembered only while its own
 * file is still there.
 */
export const mergeDead = (
  id: string,
  dead: ReadonlyArray<FleetEntry>,
  present: ReadonlyArray<FleetEntry>
): FleetEntry => {
  const ids = new Set(present.map(({ origin }) => origin.id))
  const members = dead.flatMap(({ origin }) => [origin.id, ...origin.members.filter((member) => ids.has(member))])
  const { snapshot, started } = mergeEntries(dead)
  return {
    origin: { id, started, members: [...new Set(members)] },
    status: "Gone",
    snapshot: SnapshotReduction.limited(snapshot, maxSeries)
  }
}

// All workers of a machine as one: each leaves its snapshot in a file, whoever is asked adds them up.
import { Context, type Duration, type Effect, Schema } from "effect"
import { maxSeries } from "./Family.ts"
import * as Snapshot from "./Snapshot.ts"

/** How often a worker leaves its snapshot, and when one is too old to tell what is in flight. */
export const dumpInterval = "10 seconds"

/** A living worker whose snapshot is older than this is silent: its gauges no longer count. */
export const defaultMaxAge = "60 seconds"

/** Who a file speaks for. A process id comes back one day; this does not. */
export const Origin = Schema.Struct({
  // It becomes part of a file's name: a foreign file must not choose the folder.
  id: Schema.String.pipe(Schema.pattern(/^[\w-][\w.-]{0,199}$/)),
  /** Epoch seconds since when it has counted. */
  started: Schema.Finite,
  /** Other files that were folded into this one, and must not be counted again should they still be there. */
  members: Schema.Array(Schema.String)
})
export type Origin = typeof Origin.Type

/** Whether what a file says still moves. */
export type WorkerStatus =
  /** A worker that reports: all it says is true. */
  | "Serving"
  /** A worker that has not reported for too long, or is no more: its counters and histograms stay, its gauges went. */
  | "Silent"
  | "Gone"

/** One contribution: a worker's own, or the fold of several dead ones. */
export interface Entry {
  readonly origin: Origin
  readonly status: WorkerStatus
  readonly snapshot: Snapshot.Snapshot
}

/** All contributions as one. */
export interface FleetSnapshot {
  readonly snapshot: Snapshot.Snapshot
  /** Epoch seconds since when the oldest of them has counted. */
  readonly started: number
}

/** Adds up all workers of a machine; a counter never falls when one of them dies. */
export class Fleet extends Context.Tag("effect-framework/observability/Fleet")<
  Fleet,
  {
    /** Leaves this worker's snapshot for the others. */
    readonly dump: Effect.Effect<void>
    /** Every worker that is or was, after a dump of our own. A worker found dead is retired on the way. */
    readonly gather: Effect.Effect<FleetSnapshot>
    /** Keeps what a dead worker counted. Safe to call often, late, by several, or never. */
    readonly retire: (pid: number) => Effect.Effect<void>
    /** Merges the snapshot files of a glob; with a `maxAge` above zero, older ones are skipped. */
    readonly aggregate: (pattern: string, maxAge?: Duration.DurationInput) => Effect.Effect<Snapshot.Snapshot>
  }
>() {}

/** What a worker's file is worth. A file of a later date than now is as fresh as can be: some clock was set. */
export const workerStatus = (alive: boolean, age: number, maxAge: number): WorkerStatus => {
  if (!alive) return "Gone"
  return age > maxAge ? "Silent" : "Serving"
}

/**
 * Each contribution once. A crash between folding a file and removing it leaves both, a process id that came back in
 * the wrong moment leaves two of one origin: the fold wins over what it holds, and the later over the earlier.
 */
export const distinct = <E extends Entry>(entries: ReadonlyArray<E>): ReadonlyArray<E> => {
  const folded = new Set(entries.flatMap(({ origin }) => origin.members))
  const latest = new Map<string, E>()
  for (const entry of entries) {
    const other = latest.get(entry.origin.id)
    if (folded.has(entry.origin.id)) continue
    if (other === undefined || other.snapshot.timestamp < entry.snapshot.timestamp) latest.set(entry.origin.id, entry)
  }
  return [...latest.values()]
}

// A silent worker may report again, so its series keep their `pid`.
const worth: Readonly<Record<WorkerStatus, (snapshot: Snapshot.Snapshot) => Snapshot.Snapshot>> = {
  Serving: (snapshot) => snapshot,
  Silent: Snapshot.withoutGauges,
  Gone: Snapshot.retired
}

/** The sum of all, each counted once. */
export const mergeEntries = (entries: ReadonlyArray<Entry>): FleetSnapshot => {
  let snapshot = Snapshot.empty
  let started = Infinity
  for (const entry of distinct(entries)) {
    snapshot = Snapshot.merge(snapshot, worth[entry.status](entry.snapshot))
    started = Math.min(started, entry.origin.started)
  }
  return { snapshot, started: Math.min(started, snapshot.timestamp) }
}

/**
 * Several of the dead as one entry. `present` is all that is in the directory: a member need only be remembered while
 * a file of its own is still there.
 */
export const retire = (id: string, dead: ReadonlyArray<Entry>, present: ReadonlyArray<Entry>): Entry => {
  const ids = new Set(present.map(({ origin }) => origin.id))
  const remembered = dead.flatMap(({ origin }) => [origin.id, ...origin.members.filter((member) => ids.has(member))])
  const { snapshot, started } = mergeEntries(dead)
  return {
    origin: { id, started, members: [...new Set(remembered)] },
    status: "Gone",
    snapshot: Snapshot.bounded(snapshot, maxSeries)
  }
}

// All workers of a machine as one: each writes its snapshot to a file, and any of them can add them up.
import { Context, type Duration, type Effect } from "effect"
import type { Snapshot } from "./Snapshot.ts"

/** The merged snapshot of all workers. */
export interface FleetSnapshot {
  readonly snapshot: Snapshot
  /** Epoch seconds at which the oldest of its counters started. */
  readonly started: number
}

/**
 * Merges the metrics of all workers of a machine. A counter never decreases when a worker dies.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Fleet, Prometheus } from "effect-framework/observability"
 *
 * // The snapshots of the last day that jobs have left with `Observability.dump`, added up.
 * export const imported = Effect.gen(function* () {
 *   const fleet = yield* Fleet.Fleet
 *   const snapshot = yield* fleet.aggregate("storage/imports/*.json", "1 day")
 *   return Prometheus.exporter.export(snapshot)
 * })
 * ```
 */
export class Fleet extends Context.Tag("effect-framework/observability/Fleet")<
  Fleet,
  {
    /** Writes this worker's snapshot for the others. */
    readonly dump: Effect.Effect<void>
    /** Merges all workers, living and dead, after a dump of this one. Retires workers that have died. */
    readonly gather: Effect.Effect<FleetSnapshot>
    /** Keeps the counters of a dead worker. Idempotent, and safe when several processes call it. */
    readonly retire: (pid: number) => Effect.Effect<void>
    /** Merges the snapshot files that match a glob; with a `maxAge` above zero, older ones are skipped. */
    readonly aggregate: (pattern: string, maxAge?: Duration.DurationInput) => Effect.Effect<Snapshot>
  }
>() {}

// A source of metrics that is read at each snapshot instead of being written to.
import type { Effect } from "effect"
import type { Reading } from "./Snapshot.ts"

/** Run at each snapshot. A collector that fails or takes too long is left out, and a warning is logged. */
export interface Collector {
  /** Named in the warning when it fails. */
  readonly name: string
  readonly collect: Effect.Effect<ReadonlyArray<Reading>>
}

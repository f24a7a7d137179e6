// A source of readings that is asked at each snapshot instead of being written to.
import type { Effect } from "effect"
import type { Reading } from "./Snapshot.ts"

export interface Collector {
  /** For the warning when it fails. */
  readonly name: string
  readonly collect: Effect.Effect<ReadonlyArray<Reading>>
}

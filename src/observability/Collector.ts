// A source of readings that is asked at each snapshot instead of being written to.
import type { Effect } from "effect"
import * as Labels from "./Labels.ts"
import type { Reading } from "./Snapshot.ts"

/** Asked at each snapshot; one that fails or dawdles is left out and warned about. */
export interface Collector {
  /** For the warning when it fails. */
  readonly name: string
  readonly collect: Effect.Effect<ReadonlyArray<Reading>>
}

/** One number that a collector knows how to ask for; nothing where this machine cannot tell. */
export interface Measurement {
  readonly name: string
  readonly type: "counter" | "gauge"
  readonly help: string
  readonly of: () => number | undefined
}

/** The figures of one process. They carry its id, since a fleet adds up what has the same labels. */
export const readingsOf = (pid: number, figures: ReadonlyArray<Measurement>): ReadonlyArray<Reading> => {
  const labels = Labels.of({ pid: String(pid) })
  return figures.flatMap(({ help, name, of, type }) => {
    const value = of()
    return value === undefined ? [] : [{ name, type, help, series: [{ labels, value }] }]
  })
}

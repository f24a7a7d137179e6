// The readings of a collector that measures one process.
import * as Labels from "../Labels.ts"
import type { Reading } from "../Snapshot.ts"

/** One metric of a process and how to read it; `undefined` where this platform does not provide it. */
export interface Measurement {
  readonly name: string
  readonly type: "counter" | "gauge"
  readonly help: string
  readonly read: () => number | undefined
}

/** The readings of one process, labelled with its `pid`: the fleet adds up series with equal labels. */
export const make = (pid: number, measurements: ReadonlyArray<Measurement>): ReadonlyArray<Reading> => {
  const labels = Labels.of({ pid: String(pid) })
  return measurements.flatMap(({ help, name, read, type }) => {
    const value = read()
    return value === undefined ? [] : [{ name, type, help, series: [{ labels, value }] }]
  })
}

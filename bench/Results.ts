// What was measured, kept between runs and for each kind of processor: a run replaces the rows of its own processor, and
// of the subjects that it ran.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import type { Summary } from "./profile/Summary.ts"
import type { Row } from "./Row.ts"

export interface Machine {
  readonly node: string
  readonly cores: number
  /** The name of the processor. */
  readonly model: string
  /** The program that makes the load. */
  readonly load: string
}

/** When a subject was measured, and with what. */
export interface Stamp {
  readonly commit: string
  /** As `2026-11-18`. */
  readonly date: string
  /** Of this package. */
  readonly version: string
  readonly node: string
  readonly load: string
  /** Too many commits ago, or for another minor version: the figure is shown, and never as met. */
  readonly outdated: boolean
}

/** What one kind of processor has measured. */
export interface Measured {
  readonly machine: Machine
  /** The rows of each subject. */
  readonly results: Readonly<Record<string, ReadonlyArray<Row>>>
  /** The stamp of each subject; one without is outdated. */
  readonly taken?: Readonly<Record<string, Stamp>>
  /** Where the time of each hot path goes. */
  readonly profiles?: Readonly<Record<string, Summary>>
}

/** One for each kind of processor, in the order in which they were first measured. */
export type Results = ReadonlyArray<Measured>

export const path = "bench/results.json"

/** What is kept; nothing before the first run. */
export const read = (file: string = path): Results =>
  existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Results) : []

// A bar is set for every processor, so the newest one is compared with the older figures as well.
const withBars = (rows: ReadonlyArray<Row>, newer: ReadonlyArray<Row> = []): ReadonlyArray<Row> =>
  rows.map((row) => {
    const same = newer.find(({ subject }) => subject === row.subject)
    return same === undefined ? row : { ...row, bar: same.bar }
  })

const mapRows = (
  results: Measured["results"],
  use: (rows: ReadonlyArray<Row>, name: string) => ReadonlyArray<Row>
): Measured["results"] => Object.fromEntries(Object.entries(results).map(([name, rows]) => [name, use(rows, name)]))

/** The older results with those of a newer run over them. */
export const merge = (older: Results, newer: Measured): Results => {
  const isSame = ({ machine }: Measured) => machine.model === newer.machine.model
  const barred = older.map((one) =>
    isSame(one) ? one : { ...one, results: mapRows(one.results, (rows, name) => withBars(rows, newer.results[name])) }
  )
  const own = older.find(isSame)
  const profiles = { ...own?.profiles, ...newer.profiles }
  const taken = { ...own?.taken, ...newer.taken }
  const merged: Measured = {
    machine: newer.machine,
    results: { ...own?.results, ...newer.results },
    ...(Object.keys(taken).length > 0 && { taken }),
    ...(Object.keys(profiles).length > 0 && { profiles })
  }
  return own === undefined ? [...barred, merged] : barred.map((one) => (isSame(one) ? merged : one))
}

/** Commits after which a figure is outdated. */
const lifetime = 100

const minor = (version: string): string => version.split(".", 2).join(".")

/** The results with the stamps that are outdated by now. `commitsSince` is `undefined` for a commit that is not known. */
export const aged = (
  results: Results,
  version: string,
  commitsSince: (commit: string) => number | undefined
): Results => {
  const age = (stamp: Stamp): Stamp => {
    const since = commitsSince(stamp.commit)
    return { ...stamp, outdated: since === undefined || since > lifetime || minor(stamp.version) !== minor(version) }
  }
  return results.map((one) => ({
    ...one,
    taken: Object.fromEntries(Object.entries(one.taken ?? {}).map(([name, stamp]) => [name, age(stamp)]))
  }))
}

export const write = (results: Results, file: string = path): void =>
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`)

// What was measured, kept between runs: a run of some subjects leaves the figures of the others as they were.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import type { Row } from "./Row.ts"

export interface Machine {
  readonly node: string
  readonly cores: number
  readonly model: string
  /** The program that makes the load. */
  readonly load: string
}

export interface Results {
  readonly machine: Machine
  /** The rows of each subject. */
  readonly results: Readonly<Record<string, ReadonlyArray<Row>>>
}

export const path = "bench/results.json"

/** What is kept; nothing before the first run. */
export const read = (file: string = path): Results | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Results) : undefined

/** The older results with those of a newer run over them. */
export const merge = (older: Results | undefined, newer: Results): Results => ({
  machine: newer.machine,
  results: { ...older?.results, ...newer.results }
})

export const write = (results: Results, file: string = path): void =>
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`)

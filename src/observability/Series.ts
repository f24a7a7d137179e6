// What was measured, as data: the series of one name, as a snapshot holds them.
import type { Labels } from "./Labels.ts"

/** What an instrument is to the exposition. */
export type Type = "counter" | "gauge" | "histogram"

/** The value of a counter or a gauge. */
export interface Sample {
  readonly labels: Labels
  readonly value: number
}

/** The state of a histogram. */
export interface Distribution {
  readonly labels: Labels
  /** Finite upper bounds, ascending. */
  readonly bounds: ReadonlyArray<number>
  /** For each bound, how many observations were at most that: cumulative. */
  readonly counts: ReadonlyArray<number>
  readonly sum: number
  /** All observations: the `+Inf` bucket. */
  readonly count: number
}

/** One series as it stands: a number, or a distribution. */
export type Series = Sample | Distribution

/** Whether a series is that of a histogram. */
export const isDistribution = (series: Series): series is Distribution => "bounds" in series

/** Every series of one name, sorted by their labels. */
export type Metric =
  | { readonly type: "counter" | "gauge"; readonly help: string; readonly series: ReadonlyArray<Sample> }
  | { readonly type: "histogram"; readonly help: string; readonly series: ReadonlyArray<Distribution> }

// The series of a metric, as a snapshot holds them.
import type { Exemplar } from "./Exemplar.ts"
import type { Labels } from "../../Labels.ts"

/** The type of an instrument. */
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
  /** For each bound, the number of observations less than or equal to it: cumulative. */
  readonly counts: ReadonlyArray<number>
  readonly sum: number
  /** The number of observations: the `+Inf` bucket. */
  readonly count: number
  /** At most one for each bucket, in their order. */
  readonly exemplars?: ReadonlyArray<Exemplar> | undefined
}

/** The state of one series: a value or a distribution. */
export type Series = Sample | Distribution

/** Whether a series belongs to a histogram. */
export const isDistribution = (series: Series): series is Distribution => "bounds" in series

/** How equal gauges of several workers become one: by their largest value. Without it they are added up. */
export type Aggregation = "max"

/** All series of one name, sorted by their labels. */
export type Metric =
  | { readonly type: "counter"; readonly help: string; readonly series: ReadonlyArray<Sample> }
  | {
      readonly type: "gauge"
      readonly help: string
      readonly series: ReadonlyArray<Sample>
      readonly aggregation?: Aggregation
    }
  | { readonly type: "histogram"; readonly help: string; readonly series: ReadonlyArray<Distribution> }

// How much time a measurement may take.
export interface Options {
  /** Fewer and shorter rounds: a first impression in two minutes, not a figure to quote. */
  readonly quick: boolean
}

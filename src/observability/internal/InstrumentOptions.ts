// The options that the constructors of instruments share.

/** The help text and fixed labels of an instrument. */
export interface InstrumentOptions {
  readonly help?: string
  readonly labels?: Readonly<Record<string, string>>
}

/** How the fleet merges a gauge. */
export interface GaugeOptions {
  /** `max` for a fact that all workers read from one place, such as a count in the database; else they are added up. */
  readonly aggregation?: "sum" | "max"
}

/** The label names, and the number of series after which further label values are counted together. */
export interface FamilyOptions<Name extends string> {
  readonly help?: string
  readonly labels: ReadonlyArray<Name>
  readonly limit?: number
}

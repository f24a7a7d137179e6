// The options that the constructors of instruments share.

/** The help text and fixed labels of an instrument. */
export interface InstrumentOptions {
  readonly help?: string
  readonly labels?: Readonly<Record<string, string>>
}

/** The label names, and the number of series after which further label values are counted together. */
export interface FamilyOptions<Name extends string> {
  readonly help?: string
  readonly labels: ReadonlyArray<Name>
  readonly limit?: number
}

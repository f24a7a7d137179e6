// What a collector says about an export that it accepted.

/** The data was accepted, except for the data points that the collector rejected. */
export interface ExportSummary {
  readonly status: number
  readonly rejected: number
  /** What the collector says about the rejected ones; empty when it says nothing. */
  readonly message: string
}

/** Prints the nanoseconds of each work as JSON. */
export declare const measureAll: (
  works: Readonly<Record<string, readonly [runs: number, work: (runs: number) => unknown]>>
) => Promise<void>

// The sizes of a page.

/** Rows on a page by default. */
export const defaultLimit = 10

/** Rows that a stream reads at once, by default. */
export const streamBatch = 500

/** The rows up to which a list that is not counted exactly is counted. */
export const totalCap = 10_000

/** The most rows that a request over HTTP may ask for, by default. */
export const maxLimit = 100

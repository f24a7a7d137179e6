// The bounds of a report.
import { Duration } from "effect"

/** A report that takes longer is interrupted. */
export const timeout = Duration.seconds(5)

/** Pending reports. Many errors and a reporter that hangs must not fill the memory. */
export const maxPending = 1000

/** The maximum number of classes with a series of their own in `exceptions_total`; the rest is counted together. */
export const maxClasses = 100

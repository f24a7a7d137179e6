// How long to wait before a worker is replaced: not at all after a long uptime, with exponential backoff after early exits.
import { Duration } from "effect"

/** An exit before this uptime is an early one. */
export const minUptime = Duration.seconds(5)

const firstDelay = Duration.millis(100)

/** The longest delay before a replacement. */
export const maxDelay = Duration.seconds(10)

/** The number of early exits in a row. */
export const earlyExits = (before: number, uptime: Duration.Duration): number =>
  Duration.lessThan(uptime, minUptime) ? before + 1 : 0

/** How long to wait before the replacement starts. */
export const delay = (early: number): Duration.Duration =>
  early === 0 ? Duration.zero : Duration.min(Duration.times(firstDelay, 2 ** Math.min(early - 1, 30)), maxDelay)

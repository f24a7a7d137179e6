// How long a dead worker's place stays empty: not at all after a long life, longer and longer when it dies at once.
import { Duration } from "effect"

/** A worker that lived shorter than this died at once. */
export const minUptime = Duration.seconds(5)

const first = Duration.millis(100)

/** The longest that a place stays empty. */
export const maxDelay = Duration.seconds(10)

/** How many times in a row a place has lost its worker at once. */
export const earlyExits = (before: number, lifetime: Duration.Duration): number =>
  Duration.lessThan(lifetime, minUptime) ? before + 1 : 0

/** How long to wait before a new worker takes the place. */
export const delay = (quickDeaths: number): Duration.Duration =>
  quickDeaths === 0 ? Duration.zero : Duration.min(Duration.times(first, 2 ** Math.min(quickDeaths - 1, 30)), maxDelay)

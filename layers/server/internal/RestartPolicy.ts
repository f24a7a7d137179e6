// When the replacement of a worker starts: at once after a long uptime, with growing delays in a crash loop.
import { Duration } from "effect"

/** An exit before it has served for so long is an early one. */
const minUptime = Duration.seconds(5)

const firstDelay = Duration.millis(100)

/** The longest delay before a replacement. */
export const maxDelay = Duration.seconds(10)

/** The number of early exits in a row. */
export const countEarly = (before: number, uptime: Duration.Duration): number =>
  Duration.lessThan(uptime, minUptime) ? before + 1 : 0

/** How long to wait before the replacement starts. */
export const delayOf = (early: number): Duration.Duration =>
  early === 0 ? Duration.zero : Duration.min(Duration.times(firstDelay, 2 ** Math.min(early - 1, 30)), maxDelay)

/** The line about a crash loop; without an `uptime` the worker has never served. */
export const backoff = (early: number, delay: Duration.Duration, uptime: Duration.Duration | undefined): string => {
  const when = uptime === undefined ? "before it served" : `${Duration.toSeconds(uptime)} s after it began to serve`
  const times = early === 1 ? "" : `, and is the ${early}. in a row`
  return `A worker has ended ${when}${times}: its replacement starts in ${Duration.toSeconds(delay)} s.`
}

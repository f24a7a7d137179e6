// The state of a presented validator against the row of its series.
import { Duration } from "effect"
import { equal } from "../../session/internal/SplitToken.ts"

/** The default lifetime of a series: 30 days. */
export const lifetime = Duration.seconds(2592000)

/** The stored part of a series: digests, never validators. */
export interface Row {
  readonly verifier: string
  readonly expires: number
  /** The previous validator, and when the current one was sent, in milliseconds of the database's clock. */
  readonly previous: string | null
  readonly rotatedAt: number | null
  /** The validator of a response that is about to be sent. */
  readonly next: string | null
  /** Whether the process that made `next` still holds its lease on the response. */
  readonly leased: boolean
}

/**
 * The state of a presented validator. `Pending` is the current one while its successor is being sent, `Delivered` is that
 * successor, which proves that the response arrived. `Late` is a concurrent request, `Replayed` a theft.
 */
type SeriesState = "Current" | "Pending" | "Delivered" | "Late" | "Replayed" | "Expired"

/** When a validator was presented, in milliseconds: `now` for its expiry, `arrived` by the clock of `rotatedAt`. */
interface Moment {
  readonly now: number
  readonly arrived: number
}

/**
 * Compares a presented validator with its row. `Late` is the previous one in a request that arrived before its successor
 * was sent (so its sender cannot have seen it), or within the grace period after that.
 */
export const seriesState = (
  row: Row,
  digest: string,
  { arrived, now }: Moment,
  grace: Duration.Duration
): SeriesState => {
  const current = equal(digest, row.verifier)
  const next = equal(digest, row.next ?? "")
  const previous = equal(digest, row.previous ?? "")
  if (row.expires <= Math.floor(now / 1000)) return "Expired"
  if (current) return row.leased ? "Pending" : "Current"
  if (next) return "Delivered"
  return previous && row.rotatedAt !== null && arrived - row.rotatedAt < Duration.toMillis(grace) ? "Late" : "Replayed"
}

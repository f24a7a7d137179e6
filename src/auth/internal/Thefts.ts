// Stolen remember cookies, logged and counted for the operator.
import { Effect, Metric } from "effect"
import type { AccountId } from "../../session/Identity.ts"

/** How many thefts were detected. An Effect `Metric`, so that it works without our observability. */
export const total = Metric.counter("auth_thefts_total", {
  description: "Remember cookies that were used a second time",
  incremental: true
})

/** Registers the counter with 0, so that the first theft is an increase. */
export const prepare: Effect.Effect<void> = Metric.incrementBy(total, 0)

/** Where the replayed token came from: the exchange of its request, or the device that sent it. */
export interface Source {
  /** The pattern, never the path. */
  readonly route?: string
  readonly clientAddress?: string
  /** The address of a device, when there is no exchange. */
  readonly peer?: string
}

/** Counts one theft and logs it with the id of the account: never the e-mail, never the token. */
export const record = (
  user: AccountId,
  { clientAddress = "", peer = clientAddress, route = "" }: Source
): Effect.Effect<void> =>
  Effect.zipRight(
    Metric.increment(total),
    Effect.annotateLogs(
      Effect.logWarning("Remember token replayed: every device and session of the account was revoked"),
      {
        user,
        route,
        peer
      }
    )
  )

// Thefts of remember cookies, logged and counted for whoever runs the program.
import { Effect, Metric } from "effect"
import type { AccountId } from "./Identity.ts"

/** How many thefts were found. A metric of Effect's own, so that a program without our observability can count them too. */
export const total = Metric.counter("auth_thefts_total", {
  description: "Remember cookies that were used a second time",
  incremental: true
})

/** Makes the count appear with 0, so that the first theft is an increase. */
export const prepare: Effect.Effect<void> = Metric.incrementBy(total, 0)

/** Where the second use came from: the pattern of the route, never its path, and the address of the client. */
export interface Place {
  readonly route?: string
  readonly peer?: string
}

/** Counts one theft and logs it with the id of the account: never the e-mail, never the token. */
export const record = (user: AccountId, { peer = "", route = "" }: Place): Effect.Effect<void> =>
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

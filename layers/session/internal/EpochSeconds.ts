// Epoch seconds, the unit of every expiry in the database.
import { Clock, Effect } from "effect"

/** The effect that a function makes of the time. */
export const use = <A, E, R>(make: (now: number) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Clock.currentTimeMillis, (millis) => make(Math.floor(millis / 1000)))

export const seconds: Effect.Effect<number> = use(Effect.succeed)

// Epoch seconds, the unit of every expiry in the database.
import { Effect } from "effect"

/** The effect that a function makes of the time. */
export const use = <A, E, R>(make: (now: number) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.clockWith((clock) => make(Math.floor(clock.unsafeCurrentTimeMillis() / 1000)))

export const seconds: Effect.Effect<number> = use(Effect.succeed)

// Epoch seconds, the unit of every expiry in the database.
import { Clock, Effect } from "effect"

export const seconds: Effect.Effect<number> = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))

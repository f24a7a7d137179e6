// Reads again until the value is the expected one. There is no limit of its own: the time limit of the test ends the wait.
import { Effect } from "effect"

export const eventually = <A, E, R>(
  read: Effect.Effect<A, E, R>,
  isExpected: (value: A) => boolean
): Effect.Effect<A, E, R> => {
  const again: Effect.Effect<A, E, R> = Effect.flatMap(read, (value) =>
    isExpected(value) ? Effect.succeed(value) : Effect.zipRight(Effect.sleep("10 millis"), again)
  )
  return again
}

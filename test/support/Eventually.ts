// Asks again until the answer is the one waited for; the test's own time limit ends a wait in vain.
import { Effect } from "effect"

export const eventually = <A, E, R>(
  ask: Effect.Effect<A, E, R>,
  is: (answer: A) => boolean
): Effect.Effect<A, E, R> => {
  const again: Effect.Effect<A, E, R> = Effect.flatMap(ask, (answer) =>
    is(answer) ? Effect.succeed(answer) : Effect.zipRight(Effect.sleep("10 millis"), again)
  )
  return again
}

// Waits without a limit of their own: the time limit of the test ends them.
import { Effect, TestClock } from "effect"

/** Reads again until the value is the expected one. */
export const eventually = <A, E, R>(
  read: Effect.Effect<A, E, R>,
  isExpected: (value: A) => boolean
): Effect.Effect<A, E, R> => {
  const again: Effect.Effect<A, E, R> = Effect.flatMap(read, (value) =>
    isExpected(value) ? Effect.succeed(value) : Effect.zipRight(Effect.sleep("10 millis"), again)
  )
  return again
}

const pause = Effect.async<void>((resume) => void setTimeout(() => resume(Effect.void), 20))

/** An event by a timer that may be set only after the test has turned the clock, which goes on turning until then. */
export const ticking = <A, E, R>(event: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.raceFirst(event, Effect.forever(Effect.zipRight(TestClock.adjust("1 second"), pause)))

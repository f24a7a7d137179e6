// A worker that repeats its work wakes for every pause that the clock of a test leaps over: two weeks of ten minutes each
// are 2,000 times. On the real clock it waits, and what the test asks of its service is done at the time of the test.
import { Clock, Effect, Layer } from "effect"

/** The same services; what this starts in the background waits in real time. */
export const workersOnRealClock = <A, E, R>(worker: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.scopedContext(Effect.withClock(Layer.build(worker), Clock.make()))

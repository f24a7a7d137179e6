// The places of open responses on a worker. A stream that never ends must not hold up the stop, nor fill the memory.
import { Deferred, Effect, FiberId } from "effect"
import { type OpenStreams, TooManyStreams } from "../../../src/http/internal/OpenStreams.ts"

/** The streams that may be open at once on a worker. */
export const defaultLimit = 1000

/** The places, and how to end all streams. */
export interface StreamPlaces {
  readonly service: OpenStreams["Type"]
  readonly stop: () => void
}

export const make = (limit: number): StreamPlaces => {
  const stopped = Deferred.unsafeMake<void>(FiberId.none)
  let open = 0
  let isStopping = false
  const take = Effect.suspend(() => {
    if (isStopping || open >= limit) return Effect.die(new TooManyStreams())
    open++
    return Effect.void
  })
  return {
    service: {
      enter: Effect.acquireRelease(take, () => Effect.sync(() => open--)),
      stopped: Deferred.await(stopped)
    },
    stop: () => {
      isStopping = true
      Deferred.unsafeDone(stopped, Effect.void)
    }
  }
}

// Throws away what has expired, every few minutes, for as long as the program runs.
import { Effect, Layer, Schedule } from "effect"
import { KeyRing } from "../../src/auth/KeyRing.ts"
import { RateLimit } from "../../src/auth/RateLimit.ts"
import { Sessions } from "../../src/auth/Session.ts"
import { Tokens } from "../../src/auth/Tokens.ts"
import { Trust } from "../../src/auth/Trust.ts"

/** One round; how many rows went. A store that fails is logged, and the others are swept all the same. */
export const round = Effect.gen(function* () {
  const sweeps = [(yield* Tokens).sweep, (yield* Trust).sweep, (yield* Sessions).sweep, (yield* RateLimit).sweep]
  const counts = yield* Effect.forEach([...sweeps, (yield* KeyRing).sweep], (sweep) =>
    Effect.catchAllCause(sweep, (cause) => Effect.as(Effect.logWarning("A sweep failed", cause), 0))
  )
  return counts.reduce((total, count) => total + count, 0)
})

// Jittered, so that workers that started together do not sweep together.
const schedule = Schedule.jittered(Schedule.spaced("10 minutes"))

/** A round every ten minutes, at another moment in each worker. */
export const layer: Layer.Layer<never, never, Tokens | Trust | Sessions | RateLimit | KeyRing> = Layer.scopedDiscard(
  Effect.forkScoped(Effect.schedule(round, schedule))
)

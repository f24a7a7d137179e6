// Work on accounts that comes due: done about every ten minutes, on every worker.
import { Effect, Number, Schedule, type Scope } from "effect"

/** Does what is due, one after the other; `each` says how many it has done. */
export const sweep = <A, E, R, R2>(
  due: Effect.Effect<ReadonlyArray<A>, E, R>,
  each: (one: A) => Effect.Effect<number, never, R2>
): Effect.Effect<number, E, R | R2> =>
  Effect.map(
    Effect.flatMap(due, (all) => Effect.forEach(all, each)),
    Number.sumAll
  )

// Jittered, so that workers that started together do not sweep together.
const schedule = Schedule.jittered(Schedule.spaced("10 minutes"))

/** Repeats a sweep until the scope closes, also after one that failed; the first one comes after the first pause. */
export const repeat = <R>(work: Effect.Effect<number, never, R>): Effect.Effect<void, never, R | Scope.Scope> =>
  work.pipe(
    Effect.catchAllCause((cause) =>
      Effect.logError("Work that is due was not done; the next sweep tries again", cause)
    ),
    Effect.schedule(schedule),
    Effect.forkScoped,
    Effect.asVoid
  )

// How long something takes here and now: the median of many runs, after a few that warm up.
import { Effect } from "effect"
import { median } from "../Rounds.ts"

/** Medians in milliseconds of effects that take turns, so that a busy moment of the machine hits all of them. */
export const inTurns = <E, R>(
  effects: ReadonlyArray<Effect.Effect<unknown, E, R>>,
  runs: number
): Effect.Effect<ReadonlyArray<number>, E, R> =>
  Effect.gen(function* () {
    const times = effects.map((): Array<number> => [])
    for (let run = -Math.ceil(runs / 5); run < runs; run++) {
      for (const [index, effect] of effects.entries()) {
        const start = performance.now()
        yield* effect
        if (run >= 0) times[index]?.push(performance.now() - start)
      }
    }
    return times.map(median)
  })

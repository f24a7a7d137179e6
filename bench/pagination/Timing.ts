// How long something takes here and now: the median of many runs, after a few that warm up.
import { Effect } from "effect"
import { median } from "../Rounds.ts"

/** Milliseconds of effects that take turns, so that a busy moment of the machine hits all of them. */
export const turns = <R>(
  effects: ReadonlyArray<Effect.Effect<unknown, unknown, R>>,
  runs: number
): Effect.Effect<ReadonlyArray<ReadonlyArray<number>>, unknown, R> =>
  Effect.gen(function* () {
    const times = effects.map((): Array<number> => [])
    for (let run = -Math.ceil(runs / 5); run < runs; run++) {
      for (const [index, effect] of effects.entries()) {
        const start = performance.now()
        yield* effect
        if (run >= 0) times[index]?.push(performance.now() - start)
      }
    }
    return times
  })

/** The medians of effects that take turns. */
export const inTurns = <R>(
  effects: ReadonlyArray<Effect.Effect<unknown, unknown, R>>,
  runs: number
): Effect.Effect<ReadonlyArray<number>, unknown, R> => Effect.map(turns(effects, runs), (times) => times.map(median))

/** One over the other, turn by turn, and the median of that: neighbours in time are compared with each other. */
export const ratio = (ours: ReadonlyArray<number> = [], peer: ReadonlyArray<number> = []): number =>
  median(ours.map((time, turn) => time / (peer[turn] ?? Number.NaN)))

import { expect, it } from "vitest"
import { Effect } from "effect"
import * as Closings from "../../../layers/server/internal/Closings.ts"

/** The next turn of the event loop. */
const turn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

it("cleans a few up at once, and the others between the turns of the event loop", () =>
  Effect.runPromise(
    Effect.gen(function* () {
      const done: Array<number> = []
      const close = Closings.make((item: { readonly at: number }) => done.push(item.at))
      for (let at = 0; at < 600; at++) close({ at })
      expect(done).toHaveLength(8)
      let turns = 0
      while (done.length < 600) {
        const before = done.length
        yield* turn
        turns++
        expect(done.length - before).toBeLessThanOrEqual(2)
      }
      expect(turns).toBeGreaterThan(290)
      expect(done).toEqual(Array.from({ length: 600 }, (_, at) => at))
      // Nothing waits any longer: the next ones are at once again.
      yield* turn
      yield* turn
      close({ at: 600 })
      expect(done.at(-1)).toBe(600)
    })
  ))

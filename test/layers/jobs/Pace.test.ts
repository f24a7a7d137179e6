import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Pace from "../../../layers/jobs/internal/Pace.ts"

/** A second of rounds that take two milliseconds of the thread each, while requests take this share of the rest. */
const rounds = (requests: number) =>
  Effect.gen(function* () {
    let [now, used, askedAt, askedUsed] = [1000, 1000, 0, 0]
    const mayBegin = Pace.make({
      now: () => now,
      busy: () => {
        const share = (used - askedUsed) / (now - askedAt)
        askedAt = now
        askedUsed = used
        return share
      },
      pause: (millis) =>
        Effect.sync(() => {
          now += millis
          used += millis * requests
        })
    })
    let count = 0
    while (now < 2000) {
      yield* mayBegin
      count++
      now += 2
      used += 2
    }
    return count
  })

describe("The pace of a worker beside requests", () => {
  it.effect("is that of its jobs alone but for a look now and then, without requests and with some", () =>
    Effect.gen(function* () {
      // 500 without any look.
      expect(yield* rounds(0)).toBeGreaterThan(450)
      expect(yield* rounds(0.5)).toBeGreaterThan(450)
    })
  )

  it.effect("is thirty rounds a second while requests keep the thread busy", () =>
    Effect.gen(function* () {
      const count = yield* rounds(1)
      expect(count).toBeGreaterThan(20)
      expect(count).toBeLessThan(40)
    })
  )

  it.effect("does not keep the first job of a thread at rest waiting", () =>
    Effect.gen(function* () {
      const paused: Array<number> = []
      const pause = (millis: number) => Effect.sync(() => void paused.push(millis))
      yield* Pace.make({ now: () => 1000, busy: () => 0.1, pause })
      expect(paused).toEqual([])
    })
  )
})

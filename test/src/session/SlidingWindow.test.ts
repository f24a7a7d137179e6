import { describe, expect, it } from "@effect/vitest"
import { decide, isFull, stamp, stamps } from "../../../src/session/internal/SlidingWindow.ts"

const rule = { scope: "tea", limit: 2, window: "10 seconds" } as const

const at = (...millis: ReadonlyArray<number>): string => millis.map(stamp).join("")

describe("SlidingWindow", () => {
  it("stores times in a fixed width and reads them back", () => {
    expect(stamps(at(0, 1_500.7, 1_700_000_000_000))).toEqual([0, 1_500, 1_700_000_000_000])
  })

  it("is full while the hit that is `limit` hits old is inside the window", () => {
    expect(isFull(at(1_000), rule, 2_000)).toBe(false)
    expect(isFull(at(1_000, 2_000), rule, 10_999)).toBe(true)
    expect(isFull(at(1_000, 2_000), rule, 11_000)).toBe(false)
  })

  it("counts the remaining hits and when the oldest leaves the window", () => {
    expect(decide(at(1_000), rule, 1_000, true)).toEqual({
      allowed: true,
      limit: 2,
      remaining: 1,
      reset: 11,
      retryAfter: 0
    })
  })

  it("gives a hit back in the moment in which it leaves the window", () => {
    expect(decide(at(1_000, 2_000), rule, 10_999, false).remaining).toBe(0)
    expect(decide(at(1_000, 2_000), rule, 11_000, true)).toMatchObject({ remaining: 1, retryAfter: 0 })
  })

  it("tells a refused client to wait at least a second", () => {
    expect(decide(at(1_000, 2_000), rule, 3_000, false)).toMatchObject({ allowed: false, remaining: 0, retryAfter: 8 })
    expect(decide(at(1_000, 2_000), rule, 10_999, false).retryAfter).toBe(1)
  })
})

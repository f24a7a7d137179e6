import { describe, expect, it } from "@effect/vitest"
import { Duration, FastCheck } from "effect"
import * as Workers from "../../../layers/server/internal/Workers.ts"

describe("Restart", () => {
  it("replaces a worker that lived long at once", () => {
    expect(Workers.countEarly(7, Duration.minutes(1))).toBe(0)
    expect(Duration.toMillis(Workers.delayOf(0))).toBe(0)
  })

  it("waits longer each time a worker dies at once", () => {
    const pauses = [1, 2, 3, 4, 5].map((deaths) => Duration.toMillis(Workers.delayOf(deaths)))
    expect(pauses).toEqual([100, 200, 400, 800, 1600])
    expect(Workers.countEarly(2, Duration.millis(30))).toBe(3)
  })

  it("never waits less for more deaths, nor longer than the longest", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.nat(10_000), (deaths) => {
        const now = Workers.delayOf(deaths)
        expect(Duration.lessThanOrEqualTo(now, Workers.delayOf(deaths + 1))).toBe(true)
        expect(Duration.lessThanOrEqualTo(now, Workers.maxDelay)).toBe(true)
      })
    )
  })
})

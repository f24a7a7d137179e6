import { describe, expect, it } from "@effect/vitest"
import { Duration, FastCheck } from "effect"
import * as RestartPolicy from "../../../layers/server/internal/RestartPolicy.ts"

describe("Restart", () => {
  it("replaces a worker that lived long at once", () => {
    expect(RestartPolicy.countEarly(7, Duration.minutes(1))).toBe(0)
    expect(Duration.toMillis(RestartPolicy.delayOf(0))).toBe(0)
  })

  it("waits longer each time a worker dies at once", () => {
    const pauses = [1, 2, 3, 4, 5].map((deaths) => Duration.toMillis(RestartPolicy.delayOf(deaths)))
    expect(pauses).toEqual([100, 200, 400, 800, 1600])
    expect(RestartPolicy.countEarly(2, Duration.millis(30))).toBe(3)
  })

  it("never waits less for more deaths, nor longer than the longest", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.nat(10_000), (deaths) => {
        const now = RestartPolicy.delayOf(deaths)
        expect(Duration.lessThanOrEqualTo(now, RestartPolicy.delayOf(deaths + 1))).toBe(true)
        expect(Duration.lessThanOrEqualTo(now, RestartPolicy.maxDelay)).toBe(true)
      })
    )
  })
})

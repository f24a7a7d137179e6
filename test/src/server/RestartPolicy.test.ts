import { describe, expect, it } from "@effect/vitest"
import { Duration, FastCheck } from "effect"
import * as RestartPolicy from "../../../src/server/internal/RestartPolicy.ts"

describe("Restart", () => {
  it("replaces a worker that lived long at once", () => {
    expect(RestartPolicy.earlyExits(7, Duration.minutes(1))).toBe(0)
    expect(Duration.toMillis(RestartPolicy.delay(0))).toBe(0)
  })

  it("waits longer each time a worker dies at once", () => {
    const pauses = [1, 2, 3, 4, 5].map((deaths) => Duration.toMillis(RestartPolicy.delay(deaths)))
    expect(pauses).toEqual([100, 200, 400, 800, 1600])
    expect(RestartPolicy.earlyExits(2, Duration.millis(30))).toBe(3)
  })

  it("never waits less for more deaths, nor longer than the longest", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.nat(10_000), (deaths) => {
        const now = RestartPolicy.delay(deaths)
        expect(Duration.lessThanOrEqualTo(now, RestartPolicy.delay(deaths + 1))).toBe(true)
        expect(Duration.lessThanOrEqualTo(now, RestartPolicy.maxDelay)).toBe(true)
      })
    )
  })
})

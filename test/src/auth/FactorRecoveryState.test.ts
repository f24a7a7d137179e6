import { describe, expect, it } from "@effect/vitest"
import { Duration, FastCheck } from "effect"
import { lifetime, stateOf, timesOf } from "../../../src/auth/internal/factors/FactorRecoveryState.ts"

const week = Duration.toSeconds(lifetime)
const seconds = FastCheck.integer({ min: 0, max: 4_000_000_000 })
const delays = FastCheck.integer({ min: 3600, max: 10_000_000 })

describe("The state of a recovery", () => {
  it("waits for the delay, is ready for seven days, and expires", () => {
    const times = timesOf(1000, "72 hours")
    expect(times).toEqual({ ready: 260_200, expires: 865_000 })
    expect([260_199, 260_200, 864_999, 865_000].map((now) => stateOf(times, now))).toEqual([
      "Waiting",
      "Ready",
      "Ready",
      "Expired"
    ])
  })

  it("is never ready before the delay is over, and for exactly seven days after it", () => {
    FastCheck.assert(
      FastCheck.property(seconds, delays, seconds, (now, delay, later) => {
        const times = timesOf(now, Duration.seconds(delay))
        const state = stateOf(times, later)
        expect(state === "Ready").toBe(later >= now + delay && later < now + delay + week)
        expect(state === "Waiting").toBe(later < now + delay)
      })
    )
  })
})

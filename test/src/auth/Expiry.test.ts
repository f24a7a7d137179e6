import { describe, expect, it } from "@effect/vitest"
import { Duration, FastCheck as fc, FastCheck } from "effect"
import type * as Tokens from "../../../src/auth/Tokens.ts"
import * as Expiry from "../../../src/auth/internal/Expiry.ts"
import { isConfirmed, lostFactorLifetime, lostFactorState, lostFactorTimes } from "../../../src/auth/internal/Expiry.ts"

const purpose = fc.constantFrom<Tokens.Purpose>("recovery", "verification", "not_me")

const text = fc.constantFrom("a".repeat(64), "b".repeat(64), "c".repeat(64))

const time = fc.integer({ min: 0, max: 20 })

describe("tokenState", () => {
  it("is Expired from its last second on, Live when all fits, Tampered otherwise", () => {
    fc.assert(
      fc.property(text, text, purpose, purpose, time, time, (stored, given, kept, requested, expires, now) => {
        const expected = expires <= now ? "Expired" : stored === given && kept === requested ? "Live" : "Tampered"
        expect(Expiry.tokenState({ verifier: stored, purpose: kept, expires }, given, requested, now)).toBe(expected)
      })
    )
  })
})

const week = Duration.toSeconds(lostFactorLifetime)
const seconds = FastCheck.integer({ min: 0, max: 4_000_000_000 })
const delays = FastCheck.integer({ min: 3600, max: 10_000_000 })

describe("The state of a recovery", () => {
  it("waits for the delay, is ready for seven days, and expires", () => {
    const times = lostFactorTimes(1000, "72 hours")
    expect(times).toEqual({ ready: 260_200, expires: 865_000 })
    expect([260_199, 260_200, 864_999, 865_000].map((now) => lostFactorState(times, now))).toEqual([
      "Waiting",
      "Ready",
      "Ready",
      "Expired"
    ])
  })

  it("is never ready before the delay is over, and for exactly seven days after it", () => {
    FastCheck.assert(
      FastCheck.property(seconds, delays, seconds, (now, delay, later) => {
        const times = lostFactorTimes(now, Duration.seconds(delay))
        const state = lostFactorState(times, later)
        expect(state === "Ready").toBe(later >= now + delay && later < now + delay + week)
        expect(state === "Waiting").toBe(later < now + delay)
      })
    )
  })
})

const ttl = Duration.minutes(10)

describe("A confirmation", () => {
  it.prop(
    "is recent for as long as it counts, and no longer",
    [FastCheck.nat(2_000_000_000), FastCheck.integer({ min: -60, max: 100_000 })],
    ([at, age]) => {
      expect(isConfirmed(String(at), at + age, ttl)).toBe(age < 600)
    }
  )

  it("ends in the second in which it has lasted as long as it may", () => {
    expect([599, 600].map((age) => isConfirmed("1000", 1000 + age, ttl))).toEqual([true, false])
  })

  it("allows clocks that differ by a minute, and no time further ahead", () => {
    expect(isConfirmed("1060", 1000, ttl)).toBe(true)
    expect(isConfirmed("1061", 1000, ttl)).toBe(false)
  })

  it.each([undefined, "", "-1", "1e9", "NaN", "Infinity", " 1000", "1000.5", "9".repeat(400), "\u0661"])(
    "is not recent when %s is stored",
    (stored) => {
      expect(isConfirmed(stored, 1000, ttl)).toBe(false)
    }
  )
})

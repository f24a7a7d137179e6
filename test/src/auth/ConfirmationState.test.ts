import { describe, expect, it } from "@effect/vitest"
import { Duration, FastCheck } from "effect"
import { isRecent } from "../../../src/auth/internal/ConfirmationState.ts"

const ttl = Duration.minutes(10)

describe("ConfirmationState", () => {
  it.prop(
    "is recent for as long as it counts, and no longer",
    [FastCheck.nat(2_000_000_000), FastCheck.integer({ min: -60, max: 100_000 })],
    ([at, age]) => {
      expect(isRecent(String(at), at + age, ttl)).toBe(age < 600)
    }
  )

  it("allows clocks that differ by a minute, and no time further ahead", () => {
    expect(isRecent("1060", 1000, ttl)).toBe(true)
    expect(isRecent("1061", 1000, ttl)).toBe(false)
  })

  it.each([undefined, "", "-1", "1e9", "NaN", "Infinity", " 1000", "1000.5", "9".repeat(400), "\u0661"])(
    "is not recent when %s is stored",
    (stored) => {
      expect(isRecent(stored, 1000, ttl)).toBe(false)
    }
  )
})

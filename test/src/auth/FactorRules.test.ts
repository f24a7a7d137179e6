import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { acceptedSteps, drift, stepOf, stepSeconds } from "../../../src/auth/internal/factors/FactorRules.ts"

describe("FactorRules", () => {
  it("accepts the step of the moment first, and one before and after it", () => {
    expect(acceptedSteps(1000)).toEqual([33, 32, 34])
    expect(acceptedSteps(0)).toEqual([0, 1])
  })

  it.prop(
    "a clock that differs by up to one step has a code that is accepted, never one that differs by three",
    [fc.integer({ min: 200, max: 4_000_000_000 }), fc.integer({ min: -stepSeconds * drift, max: stepSeconds * drift })],
    ([now, skew]) => {
      expect(acceptedSteps(now)).toContain(stepOf(now + skew))
      expect(acceptedSteps(now)).not.toContain(stepOf(now + 3 * stepSeconds))
      expect(acceptedSteps(now)).not.toContain(stepOf(now - 3 * stepSeconds))
    }
  )
})

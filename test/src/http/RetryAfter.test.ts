import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Words from "../../../src/http/internal/text/Words.ts"

const seconds: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600 }

describe("Words.wait", () => {
  it.each([
    [0, "1 second"],
    [1, "1 second"],
    [42, "42 seconds"],
    [60, "1 minute"],
    [61, "61 seconds"],
    [119, "119 seconds"],
    [120, "2 minutes"],
    [541, "10 minutes"],
    [600, "10 minutes"],
    [3600, "1 hour"],
    [3601, "61 minutes"],
    [7200, "2 hours"],
    [86_400, "24 hours"]
  ])("says %s s as %s", (given, expected) => {
    expect(Words.wait(given)).toBe(expected)
  })

  it("never names less than the wait, nor twice as much", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (given) => {
        const [count, unit = ""] = Words.wait(given).split(" ")
        const said = Number(count) * (seconds[unit.replace(/s$/, "")] ?? Number.NaN)
        expect(said).toBeGreaterThanOrEqual(given)
        expect(said).toBeLessThan(given * 2)
      })
    )
  })
})

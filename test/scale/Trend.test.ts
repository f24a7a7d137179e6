import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Trend from "./Trend.ts"

const series = (values: ReadonlyArray<number>) => values.map((value, minute) => ({ minute, value }))

const values = FastCheck.array(FastCheck.integer({ min: 1, max: 1000 }), { minLength: 3, maxLength: 30 })

describe("the trend of readings", () => {
  it.prop(
    "of a line is its slope",
    [FastCheck.integer({ min: -50, max: 50 }), FastCheck.integer({ min: 3, max: 40 })],
    ([rise, length]) => {
      const line = series(Array.from({ length }, (_, minute) => 5000 + rise * minute))
      expect(Trend.slope(line)).toBeCloseTo(rise)
    }
  )

  it.prop("turns round with the readings", [values], ([given]) => {
    const there = Trend.slope(series(given))
    expect(Trend.slope(series([...given].reverse()))).toBeCloseTo(-there)
  })

  it("is not moved by a few high readings", () => {
    const flat = Array.from({ length: 30 }, (_, minute) => 100 + (minute % 3))
    expect(Math.abs(Trend.growth(series(flat.with(20, 400).with(29, 900))))).toBeLessThan(0.05)
  })

  it("finds a leak under the noise", () => {
    const leak = Array.from({ length: 30 }, (_, minute) => 100 + minute + 8 * (minute % 4))
    expect(Trend.growth(series(leak))).toBeGreaterThan(0.2)
  })

  it("is nothing for no readings", () => {
    expect([Trend.slope([]), Trend.growth([]), Trend.growth(series([3]))]).toEqual([0, 0, 0])
  })
})

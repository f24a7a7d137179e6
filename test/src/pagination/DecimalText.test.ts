import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as DecimalText from "../../../src/pagination/internal/columns/DecimalText.ts"

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const scale = fc.integer({ min: 0, max: 18 })

describe("A decimal number", () => {
  it.prop("is the same after it was stored in units", [int64, scale], ([units, scale]) => {
    const text = DecimalText.fromUnits(String(units), scale)
    expect(DecimalText.isValid(text)).toBe(true)
    expect(DecimalText.toUnits(text, scale)).toBe(units)
  })

  it.prop("orders like its units", [int64, int64], ([left, right]) => {
    const [a, b] = [left, right].map((units) => Number(DecimalText.fromUnits(String(units), 2)))
    if (left < right) expect(a).toBeLessThanOrEqual(Number(b))
  })

  it("has as many digits after the point as its column", () => {
    expect(DecimalText.fromUnits("5", 2)).toBe("0.05")
    expect(DecimalText.fromUnits("-5", 2)).toBe("-0.05")
    expect(DecimalText.fromUnits("1250", 2)).toBe("12.50")
    expect(DecimalText.fromUnits("1250", 0)).toBe("1250")
    expect(DecimalText.toUnits("12.5", 2)).toBe(1250n)
    expect(DecimalText.toUnits("-12", 2)).toBe(-1200n)
    expect(DecimalText.toUnits("12.505", 2)).toBeUndefined()
  })

  it("is refused past 64 bits of units, and when it is none", () => {
    expect(DecimalText.toUnits("92233720368547758.08", 2)).toBeUndefined()
    expect(DecimalText.toUnits("NaN", 2)).toBeUndefined()
    for (const text of ["", "-", "1.", ".5", "1e5", "+1", "0x10", "1_000", " 1", "infinity"]) {
      expect([text, DecimalText.isValid(text)]).toEqual([text, false])
    }
  })
})

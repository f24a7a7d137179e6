import { describe, expect, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import * as Footprint from "../../../layers/pagination/internal/Footprint.ts"

describe("the footprint of rows", () => {
  it("grows with their texts, their number and their related rows", () => {
    const row = { id: 1, name: "blue" }
    expect(Footprint.of({ ...row, name: "blue".repeat(100) })).toBeGreaterThan(Footprint.of(row) + 4 * 396 - 1)
    expect(Footprint.of([row, row])).toBeGreaterThan(2 * Footprint.of(row))
    expect(Footprint.of({ ...row, shelf: row })).toBe(2 * Footprint.of(row))
  })

  it("ends for values that refer to themselves, and counts bytes", () => {
    const price = BigDecimal.unsafeFromString("1.50")
    expect(BigDecimal.normalize(price)).toBeDefined()
    expect(Footprint.of({ price: BigDecimal.normalize(price) })).toBeGreaterThan(Footprint.of({}))
    expect(Footprint.of(new Uint8Array(1000))).toBeGreaterThan(1000)
  })
})

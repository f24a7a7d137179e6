import { describe, expect, it } from "@effect/vitest"
import * as Footprint from "../../../layers/pagination/Footprint.ts"

describe("the footprint of rows", () => {
  it("grows with their texts, their number and their related rows", () => {
    const row = { id: 1, name: "blue" }
    expect(Footprint.of({ ...row, name: "blue".repeat(100) })).toBeGreaterThan(Footprint.of(row) + 4 * 396 - 1)
    expect(Footprint.of([row, row])).toBeGreaterThan(2 * Footprint.of(row))
    expect(Footprint.of({ ...row, shelf: row })).toBe(2 * Footprint.of(row))
  })
})

import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import * as PageBounds from "../../../src/pagination/internal/PageBounds.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"

const made = (options: Parameters<typeof Pagination.make>[0]) => Either.getOrThrow(Pagination.make(options))

describe("PageBounds", () => {
  it.prop(
    "has as many pages as hold the rows, 0 for none",
    [fc.nat(10_000), fc.integer({ min: 1, max: 100 })],
    ([total, limit]) => {
      const pages = PageBounds.pageCount(total, limit)
      expect(pages * limit).toBeGreaterThanOrEqual(total)
      expect((pages - 1) * limit).toBeLessThan(Math.max(total, 1))
      expect(pages === 0).toBe(total === 0)
    }
  )

  it("never uses an offset that the database cannot accept", () => {
    expect(PageBounds.offset(made({ page: Number.MAX_SAFE_INTEGER, limit: 100 }))).toBe(Number.MAX_SAFE_INTEGER)
    expect(PageBounds.offset(made({ page: 3, limit: 100 }))).toBe(200)
  })
})

import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import { firstPage } from "../../../layers/pagination/internal/Totals.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"

const made = (options: Parameters<typeof Pagination.make>[0]) => Either.getOrThrow(Pagination.make(options))
// The types refuse contradictions, too: a boundary for callers without them.
const reason = (options: object) => Either.getOrThrow(Either.flip(Pagination.make(options as never))).message

describe("Pagination", () => {
  it("asks for the first page of ten by default", () => {
    expect(made({})).toEqual(firstPage)
    expect(firstPage).toMatchObject({ mode: "Page", limit: 10, page: 1, cursor: null, total: null, pages: null })
  })

  it("infers cursor mode from a cursor, page mode from a page", () => {
    expect(made({ cursor: "abc" })).toMatchObject({ mode: "Cursor", cursor: "abc", page: null })
    expect(made({ cursor: "" })).toMatchObject({ mode: "Cursor", cursor: "" })
    expect(made({ page: 3 })).toMatchObject({ mode: "Page", page: 3, cursor: null })
  })

  it("takes an explicit mode where neither is given", () => {
    expect(made({ mode: "Cursor" })).toMatchObject({ mode: "Cursor", cursor: "", page: null })
    expect(made({ mode: "Page" })).toMatchObject({ mode: "Page", page: 1 })
  })

  it("refuses contradictions", () => {
    expect(reason({ page: 1, cursor: "" })).toBe("Ask for a page or for a cursor, not for both.")
    expect(reason({ page: 1, mode: "Cursor" })).toBe("A page number does not go with the mode Cursor.")
    expect(reason({ cursor: "", mode: "Page" })).toBe("A cursor does not go with the mode Page.")
  })

  it("counts exactly unless it is asked for less, up to 10,000 rows by default", () => {
    expect(made({ page: 2 })).toMatchObject({ counting: "exact", accuracy: null })
    expect(made({ page: 2, counting: "capped" })).toMatchObject({ counting: "capped", totalCap: 10_000 })
    expect(made({ counting: "estimated", totalCap: 5 })).toMatchObject({ counting: "estimated", totalCap: 5 })
    expect(reason({ counting: "capped", totalCap: 0 })).toBe("The cap of a total must be a whole number from 1.")
  })

  it("asks for the rows before a cursor, and for the cursor of each row, in cursor mode only", () => {
    expect(made({ before: "" })).toMatchObject({ mode: "Cursor", cursor: null, before: "", bidirectional: true })
    expect(made({ cursor: "", rowCursors: true })).toMatchObject({ rowCursors: [], bidirectional: false })
    expect(made({ cursor: "" })).toMatchObject({ before: null, bidirectional: false, rowCursors: null })
    expect(reason({ before: "", page: 1 })).toBe("Ask for a page or for a cursor, not for both.")
    expect(reason({ before: "", cursor: "" })).toBe(
      "Ask for the rows after a cursor or for those before one, not for both."
    )
    for (const options of [{ bidirectional: true }, { rowCursors: true }]) {
      expect(reason({ page: 1, ...options })).toBe("A page has no cursors.")
    }
  })

  it.each([0, -1, 1.5, Number.NaN, Infinity, 2 ** 53])("refuses %s as limit and as page", (number) => {
    expect(reason({ limit: number })).toBe("The limit must be a whole number from 1.")
    expect(reason({ page: number })).toBe("The page must be a whole number from 1.")
  })
})

import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import * as Connection from "../../../src/pagination/Connection.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"

const part = (given: Connection.Arguments, sizes?: Parameters<typeof Connection.pagination>[1]) =>
  Either.match(Connection.pagination(given, sizes), {
    onLeft: (error) => error.message,
    onRight: ({ cursor, limit, ...part }) => ({ before: part.mode === "Cursor" ? part.before : null, cursor, limit })
  })

describe("Connection", () => {
  it("reads forward by `first` and `after`, backward by `last` and `before`", () => {
    expect(part({})).toEqual({ cursor: "", before: null, limit: 10 })
    expect(part({ first: null, after: null, last: undefined })).toEqual({ cursor: "", before: null, limit: 10 })
    expect(part({ first: 3, after: "a" })).toEqual({ cursor: "a", before: null, limit: 3 })
    expect(part({ after: "a" }, { limit: 4 })).toEqual({ cursor: "a", before: null, limit: 4 })
    expect(part({ last: 3, before: "a" })).toEqual({ cursor: null, before: "a", limit: 3 })
    expect(part({ last: 3 })).toEqual({ cursor: null, before: "", limit: 3 })
    expect(part({ before: "a" })).toEqual({ cursor: null, before: "a", limit: 10 })
    expect(part({ first: 200 }, { maxLimit: 200 })).toEqual({ cursor: "", before: null, limit: 200 })
  })

  it("refuses arguments that contradict each other", () => {
    expect(part({ first: 1, last: 1 })).toBe("Ask for the first or for the last edges, not for both.")
    for (const given of [
      { first: 1, before: "a" },
      { last: 1, after: "a" },
      { after: "a", before: "b" },
      { first: 1, after: "a", before: "b" }
    ]) {
      expect(part(given)).toBe('"first" goes with "after", and "last" with "before".')
    }
  })

  it("refuses a size that is no whole number from 1 to the most", () => {
    for (const size of [0, -1, 1.5, 101, Number.NaN, Infinity]) {
      expect(part({ first: size })).toBe('"first" must be a whole number from 1 to 100.')
      expect(part({ last: size })).toBe('"last" must be a whole number from 1 to 100.')
    }
  })

  it("refuses what only a cast lets in", () => {
    const untyped = (given: unknown) => part(given as Connection.Arguments)
    expect(untyped({ first: "3" })).toBe('"first" must be a whole number from 1 to 100.')
    expect(untyped({ after: 3 })).toBe('"after" must be a cursor.')
    expect(untyped({ before: {} })).toBe('"before" must be a cursor.')
  })

  it("has null cursors and no edges for a part without rows", () => {
    const empty = Either.getOrThrow(Pagination.make({ cursor: "", rowCursors: true, bidirectional: true }))
    expect(Connection.make({ items: [], pagination: empty })).toEqual({
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null }
    })
  })
})

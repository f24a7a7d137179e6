import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import * as ListJson from "../../../src/pagination/internal/ListJson.ts"
import { first } from "../../../src/pagination/internal/PageBounds.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"

const start = Either.getOrThrow(Pagination.make({ cursor: "" }))

describe("the JSON of a list", () => {
  it("has totals in page mode and the next cursor in cursor mode", () => {
    expect(ListJson.print({ items: [1], pagination: { ...first, total: 1, pages: 1 } })).toBe(
      '{"items":[1],"page":1,"pages":1,"limit":10,"total":1}'
    )
    expect(ListJson.print({ items: [1], pagination: { ...start, next: "WzFd" } })).toBe(
      '{"items":[1],"limit":10,"next":"WzFd"}'
    )
  })

  it("says what a total is that is not counted exactly, and has none where rows are not counted", () => {
    const page = { ...first, total: 10_000, pages: 1000, counting: "capped", accuracy: "atLeast" } as const
    expect(ListJson.print({ items: [1], pagination: page })).toBe(
      '{"items":[1],"page":1,"pages":1000,"limit":10,"total":10000,"accuracy":"atLeast"}'
    )
    expect(ListJson.print({ items: [1], pagination: { ...first, counting: "none", more: true } })).toBe(
      '{"items":[1],"page":1,"limit":10,"more":true}'
    )
  })

  it("has the previous cursor and the cursor of each row where they were requested", () => {
    const both = Either.getOrThrow(Pagination.make({ before: "" }))
    expect(ListJson.print({ items: [1], pagination: { ...both, previous: "WzFd" } })).toBe(
      '{"items":[1],"limit":10,"next":null,"previous":"WzFd"}'
    )
    expect(ListJson.print({ items: [1], pagination: { ...start, rowCursors: ["WzFd"] } })).toBe(
      '{"items":[1],"limit":10,"next":null,"cursors":["WzFd"]}'
    )
  })

  it("has 64-bit integers as strings", () => {
    expect(ListJson.print({ items: [{ id: 2n ** 60n }], pagination: start })).toContain(`{"id":"${2n ** 60n}"}`)
  })

  it("has the encoded rows of a registered page, also when the page is copied", () => {
    const page = { items: [{ at: new Date(0) }], pagination: start }
    ListJson.cache(page, false, [{ at: "encoded" }])
    expect(ListJson.print(page)).toContain('{"at":"encoded"}')
    expect(ListJson.print({ ...page })).toBe(ListJson.print(page))
    expect(ListJson.print({ items: page.items, pagination: { ...start, next: "x" } })).toBe(
      '{"items":[{"at":"encoded"}],"limit":10,"next":"x"}'
    )
  })
})

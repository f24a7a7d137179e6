// What the compiler refuses: each line is a mistake that once compiled. Nothing here runs.
import { expect, it } from "@effect/vitest"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as ListQuery from "../../../src/pagination/ListQuery.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import type * as Repository from "../../../src/pagination/Repository.ts"
import * as Selection from "../../../src/pagination/Selection.ts"

const columns = { id: Column.integer, title: Column.text }
const Live = Entity.make("live", { key: "id", columns })
const Drafts = Entity.make("drafts", { key: "id", columns })

export const misuses = (live: Repository.For<typeof Live>) => [
  // @ts-expect-error -- a selection of another entity
  live.paginate(Selection.from(Drafts)),
  // @ts-expect-error -- a stream of another entity
  live.stream(Selection.from(Drafts)),
  // @ts-expect-error -- a search without its declaration
  live.select.search("tea"),
  // @ts-expect-error -- a search of clients without its declaration
  ListQuery.make(Live, { search: { fullText: true } }),
  // @ts-expect-error -- a part of a number
  ListQuery.make(Live, { filters: { id: { column: "id", operator: "contains" } } }),
  // @ts-expect-error -- a page and a cursor
  Pagination.make({ page: 1, cursor: "" }),
  // @ts-expect-error -- a page and a cursor before which rows are read
  Pagination.make({ page: 1, before: "" }),
  // @ts-expect-error -- a count in cursor mode
  Pagination.make({ cursor: "", counting: "none" })
]

it("is refused by the compiler", () => {
  expect(misuses).toBeTypeOf("function")
})

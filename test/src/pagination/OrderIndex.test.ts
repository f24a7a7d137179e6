import { describe, expect, it } from "@effect/vitest"
import * as Column from "../../../src/pagination/Column.ts"
import { pg, sqlite } from "../../../src/pagination/internal/query/Dialect.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as OrderIndex from "../../../src/pagination/internal/query/OrderIndex.ts"
import * as Selection from "../../../src/pagination/Selection.ts"

const Article = Entity.make("articles", {
  key: "id",
  columns: {
    id: Column.integer,
    author_id: Column.integer,
    stars: Column.integer,
    due_at: Column.nullable(Column.timestamp)
  }
})
const all = Selection.from(Article)
const statements = (selection: typeof all) =>
  [sqlite, pg].map((dialect) =>
    OrderIndex.statement(dialect, OrderIndex.needed(dialect, selection)).replace(
      /^CREATE INDEX "\w+" ON "articles" /,
      ""
    )
  )
const column = (column: string, descending = false, nullsFirst = descending): OrderIndex.IndexColumn => ({
  column,
  isRank: false,
  descending,
  nullsFirst
})

describe("The index of a list", () => {
  it("has the columns that are compared for equality first, then the order with the key last", () => {
    const both = (text: string) => [text, text]
    expect(statements(all)).toEqual(both('("id")'))
    expect(statements(all.order("Desc", "stars"))).toEqual(both('("stars" DESC, "id")'))
    const filtered = all.filter("stars", "greater", 3).filter("author_id", "equal", 1).order("Desc", "stars")
    expect(statements(filtered)).toEqual(both('("author_id", "stars" DESC, "id")'))
    expect(statements(all.filter("author_id", "equal", 1).order("Asc", "author_id"))).toEqual(
      both('("author_id", "id")')
    )
  })

  it("holds nulls where the list places them", () => {
    expect(statements(all.order("Asc", "due_at", "Last"))).toEqual(['("due_at", "id")', '("due_at", "id")'])
    expect(statements(all.order("Desc", "due_at", "Last"))).toEqual([
      '("due_at" DESC, "id")',
      '("due_at" DESC NULLS LAST, "id")'
    ])
    expect(statements(all.order("Asc", "stars").order("Desc", "due_at", "First"))).toEqual([
      '("stars", "due_at" IS NULL DESC, "due_at" DESC, "id")',
      '("stars", "due_at" DESC, "id")'
    ])
  })

  it("has a name that says what it is, no longer than PostgreSQL keeps", () => {
    const needed = OrderIndex.needed(pg, all.filter("author_id", "equal", 1).order("Desc", "stars"))
    expect(OrderIndex.statement(pg, needed)).toContain('"articles_author_id_stars_desc_id"')
    const names = ["t".repeat(80), "t".repeat(81), "ü".repeat(40)].map((table) => {
      const name = /^CREATE INDEX "(\w|ü)+" ON/.exec(OrderIndex.statement(pg, { ...needed, table }))?.[0] ?? ""
      return name.slice('CREATE INDEX "'.length, -'" ON'.length)
    })
    expect(names.map((name) => Buffer.byteLength(name))).toEqual([63, 63, 63])
    expect(new Set(names).size).toBe(3)
  })

  it("has a name of its own for each order of the same columns", () => {
    const lists = [
      all.order("Asc", "stars"),
      all.order("Desc", "stars"),
      all.order("Asc", "stars").order("Asc", "due_at", "First"),
      all.order("Asc", "stars").order("Asc", "due_at", "Last"),
      all.order("Asc", "stars").order("Desc", "due_at", "First"),
      all.order("Asc", "stars").order("Desc", "due_at", "Last")
    ]
    for (const dialect of [sqlite, pg]) {
      const made = lists.map((list) => OrderIndex.statement(dialect, OrderIndex.needed(dialect, list)))
      expect(new Set(made.map((statement) => statement.split('"')[1])).size).toBe(lists.length)
    }
  })

  it("has another name than one for a column that is named like a direction", () => {
    const columns = { id: Column.integer, stars: Column.integer, stars_desc: Column.integer }
    const Rated = Selection.from(Entity.make("articles", { key: "id", columns }))
    const names = [Rated.order("Desc", "stars"), Rated.order("Asc", "stars_desc")].map(
      (list) => OrderIndex.statement(pg, OrderIndex.needed(pg, list)).split('"')[1]
    )
    expect(new Set(names).size).toBe(2)
  })

  it("serves a list when it is read from either end, with the filters in any order", () => {
    const needed = OrderIndex.needed(pg, all.filter("author_id", "equal", 1).order("Desc", "stars"))
    const serves = (...columns: ReadonlyArray<OrderIndex.IndexColumn | undefined>) =>
      OrderIndex.serves(pg, needed, { columns })
    expect(serves(column("author_id"), column("stars", true), column("id"))).toBe(true)
    expect(serves(column("author_id", true), column("stars"), column("id", true), column("due_at"))).toBe(true)
    expect(serves(column("author_id"), column("stars"), column("id"))).toBe(false)
    expect(serves(column("author_id"), column("stars", true))).toBe(false)
    expect(serves(column("stars", true), column("id"))).toBe(false)
    expect(serves(undefined, column("stars", true), column("id"))).toBe(false)
    expect(serves(column("author_id"), column("stars", true, false), column("id"))).toBe(false)
  })
})

import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Column from "../../../src/pagination/Column.ts"
import { pg, sqlite } from "../../../src/pagination/internal/query/Dialect.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import { narrow } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import * as Filters from "../../../src/pagination/internal/query/Filters.ts"
import * as FullText from "../../../src/pagination/internal/query/FullText.ts"
import { InvalidOperand } from "../../../src/pagination/Column.ts"
import * as Keyset from "../../../src/pagination/internal/query/Keyset.ts"
import * as ListQuery from "../../../src/pagination/ListQuery.ts"
import * as Query from "../../../src/pagination/internal/query/Query.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { partsOf } from "../../../src/pagination/internal/query/SelectionState.ts"

const columns = { id: Column.integer, title: Column.text, note: Column.nullable(Column.text) }
const Cup = Entity.make("cups", { key: "id", columns, search: { columns: ["title", "note"] } })
const Stored = Entity.make("cups", { key: "id", columns, search: { columns: ["title"], vector: "words" } })
const Plain = Entity.make("cups", { key: "id", columns })

const all = Selection.from(Cup)

describe("A search", () => {
  it("is a text search in PostgreSQL and an FTS5 table in SQLite", () => {
    expect(Query.count(pg, all.search("tea")).text).toBe(
      `SELECT COUNT(*) AS total FROM "cups" WHERE to_tsvector('simple'::regconfig, "cups"."title"::text || ' ' || ` +
        `coalesce("cups"."note"::text, '')) @@ plainto_tsquery('simple'::regconfig, $1)`
    )
    expect(Query.count(pg, Selection.from(Stored).search("tea")).text).toBe(
      `SELECT COUNT(*) AS total FROM "cups" WHERE "cups"."words" @@ plainto_tsquery('simple'::regconfig, $1)`
    )
    expect(Query.count(sqlite, all.search("tea")).text).toBe(
      `SELECT COUNT(*) AS total FROM "cups" WHERE "cups"."id" IN ` +
        `(SELECT rowid FROM "cups_search" WHERE "cups_search" MATCH ?)`
    )
  })

  it.prop(
    "has one value, in which SQLite reads words alone",
    { text: fc.string({ unit: "binary", maxLength: 60 }) },
    ({ text }) => {
      expect(Query.values(pg, all.search(text))).toHaveLength(1)
      const [value] = Query.values(sqlite, all.search(text))
      // Quoted texts with blanks between them, in which a quote is doubled.
      expect(value).toMatch(/^"(?:[^"\s\0]|"")*"(?: "(?:[^"\s\0]|"")+")*$/)
      expect(String(Query.values(pg, all.search(text))[0])).not.toContain("\0")
    }
  )

  it("is one of the conditions: counted, inside others, and part of the name of its list", () => {
    const list = all
      .anyOf(
        (cup) => cup.search("a"),
        (cup) => cup.filter("id", "equal", 7)
      )
      .search("b")
    expect(Query.values(sqlite, list)).toEqual(['"a"', 7, '"b"'])
    const { restrictions } = partsOf(list)
    expect(Keyset.list(Cup, [], restrictions)).toBe(
      '["cups",{"where":[{"any":[["search"],[["id","equal"]]]},"search"]}]'
    )
    expect(Keyset.list(Cup, [], partsOf(all.search("x")).restrictions)).not.toBe(Keyset.list(Cup, [], []))
  })

  it("needs an index and a text", () => {
    // @ts-expect-error -- no declaration
    expect(() => Selection.from(Plain).search("tea")).toThrow("cups declares no full-text index")
    expect(() => all.search(undefined as unknown as string)).toThrow(InvalidOperand)
    // @ts-expect-error -- no declaration
    expect(() => ListQuery.make(Plain, { search: { fullText: true } })).toThrow(TypeError)
    expect(() => ListQuery.make(Cup, { search: { fullText: true, maxLength: 501 } })).toThrow(TypeError)
    expect(narrow(Cup, ["id"]).search).toEqual(Cup.search)
  })

  it("is refused before any query where it is too long, or where SQLite cannot refer to the rows", () => {
    expect(Filters.refusal(sqlite, all.search("x".repeat(501)))?.reason).toContain("500 characters")
    expect(Filters.refusal(pg, all.search("x".repeat(500)))).toBeUndefined()
    const Named = Entity.make("cups", { key: "title", columns, search: { columns: ["title"] } })
    expect(Filters.refusal(sqlite, Selection.from(Named).search("tea"))?.reason).toContain("one integer")
    expect(Filters.refusal(pg, Selection.from(Named).search("tea"))).toBeUndefined()
  })

  it("has the statements that make its index", () => {
    expect(FullText.statements(pg, Cup)).toEqual([
      `CREATE INDEX "cups_search" ON "cups" USING gin (to_tsvector('simple'::regconfig, "title"::text || ' ' || coalesce("note"::text, '')))`
    ])
    expect(FullText.statements(pg, Stored)).toEqual([`CREATE INDEX "cups_search" ON "cups" USING gin ("words")`])
    expect(FullText.statements(sqlite, Cup)).toEqual([
      `CREATE VIRTUAL TABLE "cups_search" USING fts5("title", "note", content='cups', content_rowid='id', ` +
        `tokenize='unicode61 remove_diacritics 0')`,
      `CREATE TRIGGER "cups_search_insert" AFTER INSERT ON "cups" BEGIN INSERT INTO "cups_search" ` +
        `(rowid, "title", "note") VALUES (new."id", new."title", new."note"); END`,
      `CREATE TRIGGER "cups_search_delete" AFTER DELETE ON "cups" BEGIN INSERT INTO "cups_search" ` +
        `("cups_search", rowid, "title", "note") VALUES ('delete', old."id", old."title", old."note"); END`,
      expect.stringContaining("AFTER UPDATE"),
      `INSERT INTO "cups_search" ("cups_search") VALUES ('rebuild')`
    ])
  })
})

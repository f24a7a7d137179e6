import { describe, expect, it } from "@effect/vitest"
import * as Column from "../../../src/pagination/Column.ts"
import type * as ColumnKind from "../../../src/pagination/internal/columns/ColumnKind.ts"
import { pg, sqlite } from "../../../src/pagination/internal/query/Dialect.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as PageQuery from "../../../src/pagination/internal/query/PageQuery.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { seekFrom } from "../../../src/pagination/internal/query/SelectionState.ts"

const Author = Entity.make("authors", { key: "id", columns: { id: Column.integer, name: Column.text } })
const Note = Entity.make("notes", {
  key: "id",
  columns: { id: Column.bigint, at: Column.timestamp, author: Column.nullable(Column.bigint) }
})
const joins = [{ target: Author, columns: ["author"] }]
const moment = `coalesce(rtrim(to_char("notes"."at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z" BC'), ' AD'), "notes"."at"::text)`
const columns = `"notes"."id"::text AS "id", ${moment} AS "at", "notes"."author"::text AS "author"`
const newest = Selection.from(Note).order("Desc", "at").order("Desc", "id")
const after = seekFrom(newest, [
  { column: "at", direction: "Desc", value: "2026-01-01T00:00:00.000000Z" },
  { column: "id", direction: "Desc", value: 7n }
])

describe("PageQuery", () => {
  it("reads a page and the row that each of its rows refers to, sorted as the page is", () => {
    expect(PageQuery.make(pg, newest.limit(3), joins)).toEqual({
      text:
        `SELECT "list_page"."id", "list_page"."at", "list_page"."author", "relation_1"."id", "relation_1"."name" FROM (` +
        `SELECT ${columns}, "notes"."at" AS "order_at", "notes"."id" AS "order_id" FROM "notes" ` +
        'ORDER BY "notes"."at" DESC, "notes"."id" DESC LIMIT $1::bigint) AS "list_page" LEFT JOIN LATERAL (' +
        'SELECT "authors"."id", "authors"."name"::text AS "name" FROM "authors" ' +
        'WHERE "authors"."id" = "list_page"."author"::bigint LIMIT 1) AS "relation_1" ON TRUE ' +
        'ORDER BY "list_page"."order_at" DESC, "list_page"."order_id" DESC',
      slots: [0]
    })
  })

  it("tells the server the most rows that a page has, whatever its limit", () => {
    const { slots, text } = PageQuery.make(pg, after.limit(3), [], 4)
    expect(text).toMatch(/DESC LIMIT 4\) AS "list_page" ORDER BY .* DESC LIMIT \$3::bigint$/)
    expect(text.match(/LIMIT/g)).toHaveLength(2)
    expect(slots).toEqual([0, 1, 2])
  })

  it("sorts by a column of its own where the entity has one of that name", () => {
    const Odd = Entity.make("odds", {
      key: "id",
      columns: { id: Column.integer, at: Column.timestamp, order_at: Column.text }
    })
    const { text } = PageQuery.make(pg, Selection.from(Odd).order("Asc", "at").order("Asc", "id").limit(1), [])
    expect(text).toContain('"odds"."at" AS "order_at_"')
    expect(text).toMatch(/ORDER BY "list_page"\."order_at_" ASC, "list_page"\."id" ASC$/)
  })

  it("joins one row that is found by integers or by the type uuid, in PostgreSQL", () => {
    const keyed = (kind: Column.Column<ColumnKind.Kind, false>) =>
      Entity.make("targets", { key: "id", columns: { id: kind, note: Column.integer } })
    const from = (kind: Column.Column<ColumnKind.Kind, false>) =>
      Entity.make("sources", { key: "id", columns: { id: Column.integer, ref: kind } })
    const isJoined = (
      here: Column.Column<ColumnKind.Kind, false>,
      there: Column.Column<ColumnKind.Kind, false>,
      isUuid: PageQuery.IsUuid = () => false
    ) => PageQuery.isJoinable(pg, from(here), Relation.one(keyed(there), "ref"), isUuid)
    expect(isJoined(Column.integer, Column.bigint)).toBe(true)
    expect(isJoined(Column.bigint, Column.integer)).toBe(true)
    expect(isJoined(Column.uuid, Column.uuid)).toBe(false)
    expect(isJoined(Column.uuid, Column.uuid, () => true)).toBe(true)
    expect(isJoined(Column.uuid, Column.uuid, (table) => table === "targets")).toBe(false)
    expect(isJoined(Column.uuid, Column.uuid, (_, column) => column === "ref")).toBe(false)
    expect(isJoined(Column.text, Column.uuid, () => true)).toBe(false)
    expect(isJoined(Column.uuid, Column.integer, () => true)).toBe(false)
    expect(isJoined(Column.text, Column.integer)).toBe(false)
    const [source, target] = [from(Column.integer), keyed(Column.integer)]
    expect(PageQuery.isJoinable(sqlite, source, Relation.one(target, "ref"), () => true)).toBe(false)
    expect(PageQuery.isJoinable(pg, source, Relation.many(target, "note"), () => true)).toBe(false)
  })
})

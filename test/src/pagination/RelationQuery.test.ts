import { describe, expect, it } from "@effect/vitest"
import * as Column from "../../../src/pagination/Column.ts"
import { pg, sqlite } from "../../../src/pagination/internal/query/Dialect.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import * as RelationQuery from "../../../src/pagination/internal/relations/RelationQuery.ts"

const Note = Entity.make("notes", {
  key: "id",
  columns: { id: Column.integer, book: Column.text, stars: Column.nullable(Column.integer) }
})
const Ware = Entity.make("wares", { key: ["shop", "code"], columns: { shop: Column.integer, code: Column.text } })

const all = Relation.many(Note, "book")
const best = Relation.many(Note, "book", {
  selection: (notes) => notes.filter("id", "greater", 3).order("Desc", "stars", "Last").limit(2)
})
const wares = Relation.many(Ware, ["shop", "code"])
const few = Relation.many(Ware, ["shop", "code"], { selection: (list) => list.limit(1) })

const query = (dialect: typeof pg, { columns, list, target }: typeof all | typeof wares, keys = 2) =>
  RelationQuery.make(dialect, RelationQuery.related(target, columns, list.parts), keys)

describe("RelationQuery", () => {
  it("joins the keys of the page, a list in SQLite and an array of the column's type in PostgreSQL", () => {
    expect(query(sqlite, all)).toEqual({
      text:
        'SELECT "notes"."id", "notes"."book", "notes"."stars", "relation_keys"."column1" AS "relation_number" ' +
        'FROM (VALUES (1, ?), (2, ?)) AS "relation_keys" CROSS JOIN "notes" ' +
        'WHERE "notes"."book" = "relation_keys"."column2" ORDER BY "notes"."id" ASC',
      slots: [0, 1]
    })
    expect(query(pg, all)).toEqual({
      text:
        'SELECT "notes"."id", "notes"."book"::text AS "book", "notes"."stars", "relation_keys"."column1" AS "relation_number" ' +
        'FROM unnest(COALESCE($1, ARRAY(SELECT "notes"."book" FROM "notes" LIMIT 0))) WITH ORDINALITY ' +
        'AS "relation_keys" ("column2", "column1") CROSS JOIN "notes" ' +
        'WHERE "notes"."book" = "relation_keys"."column2" ORDER BY "notes"."id" ASC',
      slots: [0]
    })
  })

  it("reads a limit for each parent by a search for each, filters and order inside", () => {
    expect(query(sqlite, best)).toEqual({
      text:
        'SELECT "relation_rows"."id", "relation_rows"."book", "relation_rows"."stars", "relation_keys"."column1" AS "relation_number" ' +
        'FROM (VALUES (1, ?), (2, ?)) AS "relation_keys" CROSS JOIN "notes" AS "relation_rows" ' +
        'WHERE "relation_rows"."id" IN (SELECT "notes"."id" FROM "notes" ' +
        'WHERE "notes"."book" = "relation_keys"."column2" AND "notes"."id" > ? ' +
        'ORDER BY "notes"."stars" DESC NULLS LAST, "notes"."id" ASC LIMIT ?) ' +
        'ORDER BY "relation_rows"."stars" DESC NULLS LAST, "relation_rows"."id" ASC',
      slots: [2, 3, 0, 1]
    })
    expect(query(pg, best)).toEqual({
      text:
        'SELECT "relation_rows"."id", "relation_rows"."book"::text AS "book", "relation_rows"."stars", ' +
        '"relation_keys"."column1" AS "relation_number" ' +
        'FROM unnest(COALESCE($3, ARRAY(SELECT "notes"."book" FROM "notes" LIMIT 0))) WITH ORDINALITY ' +
        'AS "relation_keys" ("column2", "column1") CROSS JOIN LATERAL (SELECT "notes"."id", "notes"."book", "notes"."stars" ' +
        'FROM "notes" WHERE "notes"."book" = "relation_keys"."column2" AND "notes"."id" > $1::bigint ' +
        'ORDER BY "notes"."stars" DESC NULLS LAST, "notes"."id" ASC LIMIT $2::bigint) AS "relation_rows" ' +
        'ORDER BY "relation_rows"."stars" DESC NULLS LAST, "relation_rows"."id" ASC',
      slots: [0, 1, 2]
    })
  })

  it("compares every column of a key of several", () => {
    expect(query(sqlite, wares).text).toContain(
      'FROM (VALUES (1, ?, ?), (2, ?, ?)) AS "relation_keys" CROSS JOIN "wares" ' +
        'WHERE "wares"."shop" = "relation_keys"."column2" AND "wares"."code" = "relation_keys"."column3"'
    )
    expect(query(sqlite, few).text).toContain(
      'WHERE ("relation_rows"."shop", "relation_rows"."code") IN (SELECT "wares"."shop", "wares"."code" FROM "wares"'
    )
    expect(query(pg, wares).text).toContain(
      'FROM unnest($1::bigint[], COALESCE($2, ARRAY(SELECT "wares"."code" FROM "wares" LIMIT 0))) WITH ORDINALITY ' +
        'AS "relation_keys" ("column2", "column3", "column1")'
    )
  })

  it("names the number of the key as no column is named", () => {
    const Odd = Entity.make("odd", { key: "relation_number", columns: { relation_number: Column.integer } })
    const { columns, list, target } = Relation.many(Odd, "relation_number")
    expect(RelationQuery.names(RelationQuery.related(target, columns, list.parts))).toEqual([
      "relation_number",
      "relation_number_"
    ])
  })
})

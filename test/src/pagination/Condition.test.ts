import { describe, expect, it } from "@effect/vitest"
import * as Column from "../../../src/pagination/Column.ts"
import * as Condition from "../../../src/pagination/internal/query/Condition.ts"
import { type Dialect, pg, sqlite } from "../../../src/pagination/internal/query/Dialect.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Query from "../../../src/pagination/internal/query/Query.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { Writer } from "../../../src/pagination/internal/query/Writer.ts"

const Cup = Entity.make("cups", {
  key: "id",
  columns: { id: Column.integer, name: Column.text, stars: Column.integer, parent_id: Column.integer }
})
const Sip = Entity.make("sips", {
  key: "id",
  columns: { id: Column.integer, cup_id: Column.bigint, cup_name: Column.text, hot: Column.boolean }
})
const all = Selection.from(Cup)
const sips = Relation.many(Sip, "cup_id")
const parent = Relation.one(Cup, "parent_id")

const text = <C extends Column.Columns>(dialect: Dialect, list: Selection.Selection<C>) =>
  Condition.restrictions(new Writer(dialect), list).join(" AND ")

describe("a condition", () => {
  it("is one of several, and nothing is one of none", () => {
    const either = all.anyOf(
      (cup) => cup.filter("stars", "equal", 5),
      (cup) => cup.filter("stars", "equal", 4).filter("name", "in", ["a", "b"])
    )
    expect(text(sqlite, either)).toBe('(("cups"."stars" = ?) OR ("cups"."stars" = ? AND "cups"."name" IN (?, ?)))')
    expect(text(pg, either)).toBe(
      '(("cups"."stars" = $1::bigint) OR ("cups"."stars" = $2::bigint AND "cups"."name" IN ($3, $4)))'
    )
    expect(Query.values(sqlite, either)).toEqual([5, 4, "a", "b"])
    expect(text(sqlite, all.anyOf())).toBe("1 = 0")
    expect(
      text(
        sqlite,
        all.anyOf((cup) => cup)
      )
    ).toBe("(1 = 1)")
  })

  it("is not another one, and takes in the rows for which that is null", () => {
    const not = all.not((cup) => cup.filter("stars", "less", 3).match("name", "insensitive", "t%"))
    expect(text(pg, not)).toBe(`("cups"."stars" < $1::bigint AND "cups"."name"::text ILIKE $2 ESCAPE '\\') IS NOT TRUE`)
  })

  it("is about related rows, under a name that no table around has", () => {
    const hot = all.exists(sips, (sip) => sip.filter("hot", "isTrue"))
    const related = 'SELECT 1 FROM "sips" AS "related_1" WHERE "related_1"."cup_id" = "cups"."id"'
    expect(text(pg, hot)).toBe(`EXISTS (${related} AND "related_1"."hot" IS TRUE)`)
    expect(text(pg, all.notExists(sips))).toBe(`NOT EXISTS (${related})`)
    const latest = Relation.many(Sip, "cup_id", {
      selection: (sip) => sip.filter("hot", "isTrue").order("Desc", "id").limit(1)
    })
    expect(text(pg, all.exists(latest))).toBe(text(pg, hot))
    expect(
      text(
        pg,
        all.not((cup) => cup.exists(sips))
      )
    ).toBe(`NOT EXISTS (${related})`)
    expect(
      text(
        sqlite,
        all.exists(parent, (cup) => cup.filter("stars", "equal", 1).exists(parent))
      )
    ).toBe(
      'EXISTS (SELECT 1 FROM "cups" AS "related_1" WHERE "related_1"."id" = "cups"."parent_id" AND "related_1"."stars" = ? ' +
        'AND EXISTS (SELECT 1 FROM "cups" AS "related_2" WHERE "related_2"."id" = "related_1"."parent_id"))'
    )
    const Shadow = Entity.make("related_1", { key: "id", columns: { id: Column.integer } })
    expect(text(pg, Selection.from(Shadow).exists(sips))).toContain(
      'AS "related_1_" WHERE "related_1_"."cup_id" = "related_1"."id"'
    )
  })

  it("compares keys of different kinds as texts on PostgreSQL", () => {
    const spelled = all.exists(Relation.many(Sip, "cup_name"))
    expect(text(pg, spelled)).toContain('"related_1"."cup_name"::text = "cups"."id"::text')
    expect(text(sqlite, spelled)).toContain('"related_1"."cup_name" = "cups"."id"')
  })
})

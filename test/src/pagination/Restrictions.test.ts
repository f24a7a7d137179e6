import { describe, expect, it } from "@effect/vitest"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import * as Restrictions from "../../../src/pagination/internal/query/Restrictions.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { partsOf } from "../../../src/pagination/internal/query/SelectionState.ts"

const Cup = Entity.make("cups", { key: "id", columns: { id: Column.integer, name: Column.text } })
const Sip = Entity.make("sips", { key: "id", columns: { id: Column.integer, cup_id: Column.integer } })

const { restrictions } = partsOf(
  Selection.from(Cup)
    .filter("id", "between", [1, 9])
    .anyOf(
      (cup) => cup.not((one) => one.match("name", "like", "a%")),
      (cup) => cup.exists(Relation.many(Sip, "cup_id"), (sip) => sip.filter("id", "in", [1, 2]))
    )
)

describe("the conditions of a selection", () => {
  it("are counted with those inside others", () => {
    expect(Restrictions.depth(restrictions)).toBe(2)
    expect(Restrictions.count(restrictions)).toBe(6)
    expect(Restrictions.places(restrictions)).toBe(5)
  })

  it("are visited with the entity of their column, in the order of their places", () => {
    const seen: Array<string> = []
    Restrictions.visit(Cup, restrictions, ({ table }, leaf) =>
      seen.push(`${table}.${"column" in leaf ? leaf.column : ""}`)
    )
    expect(seen).toEqual(["cups.id", "cups.name", "sips.id"])
  })

  it("have an outline without values, of those that are made of others", () => {
    expect(Restrictions.outline(restrictions)).toEqual([
      { any: [[{ not: [["name", "like"]] }], [{ exists: ["sips", "id", "cup_id", [["id", "in"]]] }]] }
    ])
    expect(Restrictions.outline(restrictions.slice(0, 1))).toEqual([])
  })
})

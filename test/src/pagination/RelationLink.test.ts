import { describe, expect, it } from "@effect/vitest"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import { numberOf } from "../../../src/pagination/internal/columns/EntityRow.ts"
import { linkOf } from "../../../src/pagination/internal/relations/RelationLink.ts"

const columns = { id: Column.integer, cup_id: Column.integer }
const Cup = Entity.make("cups", { key: "id", columns })
const Sip = Entity.make("sips", { key: "id", columns })

describe("the link of a relation", () => {
  it("leads from a column to a key, or from the key to a column", () => {
    expect(linkOf(Sip, Relation.one(Cup, "cup_id"))).toEqual({ target: Cup, here: "cup_id", there: "id" })
    expect(linkOf(Cup, Relation.many(Sip, "cup_id"))).toEqual({ target: Sip, here: "id", there: "cup_id" })
  })

  it("leads to a key of several columns by as many", () => {
    const Pair = Entity.make("pairs", { key: ["id", "cup_id"], columns })
    expect(() => linkOf(Pair, Relation.many(Sip, "cup_id"))).toThrow(/key of 2 columns/)
    const more = [["cup_id", "id"]]
    expect(linkOf(Pair, Relation.many(Sip, ["cup_id", "id"]))).toEqual({
      target: Sip,
      here: "id",
      there: "cup_id",
      more
    })
    const one = Relation.one(Pair, ["cup_id", "id"])
    expect(linkOf(Sip, one)).toEqual({ target: Pair, here: "cup_id", there: "id", more: [["id", "cup_id"]] })
  })

  it("tells tables, and other declarations of one table, apart", () => {
    expect(numberOf(Cup)).toBe(numberOf(Entity.make("cups", { key: "id", columns })))
    const others = [
      Sip,
      Entity.make("cups", { key: "cup_id", columns }),
      Entity.make("cups", { key: "id", columns: { id: Column.bigint } })
    ]
    expect(new Set([Cup, ...others].map(numberOf)).size).toBe(4)
  })
})

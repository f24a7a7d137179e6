import { describe, expect, it } from "@effect/vitest"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import type { Scope } from "../../../src/pagination/Selection.ts"

const Ware = Entity.make("wares", { key: ["shop", "code"], columns: { shop: Column.integer, code: Column.text } })

describe("Relation", () => {
  it("refers to a key of several columns by as many", () => {
    expect(Relation.one(Ware, ["shop_id", "ware_code"]).columns).toEqual(["shop_id", "ware_code"])
    expect(() => Relation.one(Ware, "code")).toThrow(
      "wares has the key (shop, code), and a relation refers to it by (code)"
    )
  })

  it("takes filters, an order and a limit for each parent, and nothing that only a whole list has", () => {
    const { list } = Relation.many(Ware, "shop", { selection: (all) => all.order("Desc", "code").limit(2) })
    expect(list.parts).toMatchObject({ size: 2, orders: [{ column: "code", direction: "Desc" }] })
    const others: ReadonlyArray<Scope<typeof Ware.columns>> = [
      (all) => all.offset(1),
      (all) => all.lock("Update"),
      (all) => all.seek([["shop", "Asc", 1]])
    ]
    for (const selection of others) {
      expect(() => Relation.many(Ware, "shop", { selection })).toThrow("filters, an order and a limit, nothing else")
    }
    for (const limit of [0, -1, 1.5, Number.NaN]) {
      expect(() => Relation.many(Ware, "shop", { selection: (all) => all.limit(limit) })).toThrow("whole number from 1")
    }
  })
})

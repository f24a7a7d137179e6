import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import * as Column from "../../../src/pagination/Column.ts"
import { pg, sqlite } from "../../../src/pagination/internal/query/Dialect.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Keyset from "../../../src/pagination/internal/query/Keyset.ts"
import * as Selection from "../../../src/pagination/Selection.ts"

const Cup = Entity.make("cups", {
  key: "id",
  columns: { id: Column.integer, name: Column.text, sold_at: Column.nullable(Column.timestamp) }
})
const all = Selection.from(Cup)
const named = (selection: typeof all) =>
  Keyset.orders(selection).map(({ column, direction }) => `${column} ${direction}`)

describe("the orders of a keyset", () => {
  it("end in the primary key, and have no column twice", () => {
    expect(named(all)).toEqual(["id Asc"])
    expect(named(all.order("Desc", "name").order("Asc", "name"))).toEqual(["name Desc", "id Asc"])
    expect(named(all.order("Desc", "id").order("Asc", "name"))).toEqual(["id Desc"])
  })

  it("end in all columns of a key that has several", () => {
    const Ware = Entity.make("wares", { key: ["shop", "code"], columns: { shop: Column.integer, code: Column.text } })
    const named = (selection: Selection.Selection<(typeof Ware)["columns"]>) =>
      Keyset.orders(selection).map(({ column, direction }) => `${column} ${direction}`)
    const wares = Selection.from(Ware)
    expect(named(wares)).toEqual(["shop Asc", "code Asc"])
    expect(named(wares.order("Desc", "code"))).toEqual(["code Desc", "shop Asc"])
    expect(named(wares.order("Desc", "code").order("Desc", "shop"))).toEqual(["code Desc", "shop Desc"])
  })

  it("refuse a column that may be null without a placement of nulls, and a placement for a column that is never null", () => {
    expect(Keyset.refusal(all.order("Asc", "name"))).toBeUndefined()
    expect(Keyset.refusal(all.order("Asc", "sold_at", "First"))).toBeUndefined()
    // @ts-expect-error -- no place for nulls
    expect(Keyset.refusal(all.order("Asc", "sold_at"))?.message).toContain('"sold_at", which may be null')
    // @ts-expect-error -- a place for nulls that are not there
    expect(Keyset.refusal(all.order("Asc", "name", "Last"))?.message).toContain('place nulls last by "name"')
  })

  it("have their directions and their nulls on the other side from the end", () => {
    expect(Keyset.reverse(Keyset.orders(all.order("Desc", "sold_at", "Last")))).toEqual([
      { column: "sold_at", direction: "Asc", nulls: "First" },
      { column: "id", direction: "Desc", nulls: undefined }
    ])
  })

  it("are part of the name of a list", () => {
    expect(Keyset.list(Cup, Keyset.orders(all.order("Desc", "name")))).toBe('["cups",["name","Desc"],["id","Asc"]]')
    expect(Keyset.list(Cup, Keyset.orders(all.order("Desc", "sold_at", "Last")))).toBe(
      '["cups",["sold_at","Desc","Last"],["id","Asc"]]'
    )
  })
})

describe("the values of a cursor", () => {
  const columns = [Column.text, Column.bigint]

  it("become values of the columns", () => {
    expect(Keyset.coerce(sqlite, columns, ["a", 7])).toEqual(Either.right(["a", 7n]))
  })

  it("are refused where a column cannot hold them", () => {
    const problem = (values: ReadonlyArray<string | number>, dialect = sqlite) =>
      Either.getOrThrow(Either.flip(Keyset.coerce(dialect, columns, values))).detail
    expect(problem(["a", "b"])).toBe("value 2")
    expect(problem(["a"])).toBe("value 2")
    expect(problem(["a\0", 1], pg)).toBe("value 1")
  })

  it("may be null where the column may be null, and are read back from the token of a row", () => {
    const orders = Keyset.orders(all.order("Asc", "sold_at", "Last"))
    const columns = orders.map(({ column }) => Cup.columns[column as "id"])
    const token = Keyset.token(orders, columns, { id: 7, name: "a", sold_at: null })
    expect(Buffer.from(token, "base64url").toString()).toBe("[null,7]")
    expect(Keyset.decode(sqlite, columns, token)).toEqual(Either.right([null, 7]))
    expect(Keyset.valuesOf(orders, { id: 7, sold_at: null })).toEqual([null, 7])
    const forged = Buffer.from('["2024-02-29T00:00:00Z",null]').toString("base64url")
    expect(Either.getOrThrow(Either.flip(Keyset.decode(sqlite, columns, forged)))).toMatchObject({ detail: "value 2" })
  })
})

describe("a place in a list", () => {
  const orders = Keyset.orders(all.order("Desc", "id"))
  const isAfter = (earlier: number, later: number) => Keyset.isAfter(orders, [Column.integer], [earlier], [later])

  it("comes after another in the direction of the order", () => {
    expect(isAfter(2, 1)).toBe(true)
    expect(isAfter(1, 2)).toBe(false)
    expect(isAfter(1, 1)).toBe(false)
  })

  it("comes before or after null as the order places nulls", () => {
    for (const [nulls, afterNull, afterValue] of [
      ["First", true, false],
      ["Last", false, true]
    ] as const) {
      const placed = Keyset.orders(all.order("Asc", "sold_at", nulls))
      const columns = [Column.nullable(Column.timestamp), Column.integer]
      const moment = "2024-02-29T12:00:00.000000Z"
      expect(Keyset.isAfter(placed, columns, [null, 1], [moment, 1])).toBe(afterNull)
      expect(Keyset.isAfter(placed, columns, [moment, 1], [null, 1])).toBe(afterValue)
      expect(Keyset.isAfter(placed, columns, [null, 1], [null, 2])).toBe(true)
      expect(Keyset.isAfter(placed, columns, [null, 2], [null, 1])).toBe(false)
    }
  })

  it("is left to the database where a collation decides", () => {
    expect(Keyset.isAfter(orders, [Column.text], ["a"], ["b"])).toBe(true)
    expect(Keyset.isAfter(orders, [Column.text], ["a"], ["a"])).toBe(false)
  })
})

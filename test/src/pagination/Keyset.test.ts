import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import * as Column from "../../../src/pagination/Column.ts"
import { pg, sqlite } from "../../../src/pagination/Dialect.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Keyset from "../../../src/pagination/Keyset.ts"
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

  it("refuse a column that may be null, and a placement of nulls", () => {
    expect(Keyset.refusal(all.order("Asc", "name"))).toBeUndefined()
    expect(Keyset.refusal(all.order("Asc", "sold_at"))?.message).toContain('"sold_at", which may be null')
    expect(Keyset.refusal(all.order("Asc", "name", "Last"))?.message).toContain('place nulls last by "name"')
  })

  it("are part of the name of a list", () => {
    expect(Keyset.list(Cup, Keyset.orders(all.order("Desc", "name")))).toBe('["cups",["name","Desc"],["id","Asc"]]')
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
})

describe("a place in a list", () => {
  const orders = Keyset.orders(all.order("Desc", "id"))
  const isAfter = (earlier: number, later: number) => Keyset.isAfter(orders, [Column.integer], [earlier], [later])

  it("comes after another in the direction of the order", () => {
    expect(isAfter(2, 1)).toBe(true)
    expect(isAfter(1, 2)).toBe(false)
    expect(isAfter(1, 1)).toBe(false)
  })

  it("is left to the database where a collation decides", () => {
    expect(Keyset.isAfter(orders, [Column.text], ["a"], ["b"])).toBe(true)
    expect(Keyset.isAfter(orders, [Column.text], ["a"], ["a"])).toBe(false)
  })
})

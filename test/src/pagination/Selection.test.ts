import { describe, expect, it } from "@effect/vitest"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { shapeOf } from "../../../src/pagination/internal/query/SelectionState.ts"

const Cup = Entity.make("cups", { key: "id", columns: { id: Column.integer, name: Column.text } })

describe("a selection", () => {
  it("shows its entity and its query methods, and no internal member", () => {
    const all = Selection.from(Cup)
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(all))
    expect(Object.keys(all)).toEqual(["entity"])
    const restrictions = ["anyOf", "exists", "filter", "match", "not", "notExists", "search"]
    expect(methods.sort()).toEqual(
      [...restrictions, "constructor", "limit", "lock", "offset", "order", "orderBy", "seek"].sort()
    )
  })

  it("takes filters alone in the parts of a condition", () => {
    const all = Selection.from(Cup)
    expect(() => all.not((cup) => cup.order("Asc", "id"))).toThrow(/filters alone/)
    expect(() => all.anyOf((cup) => cup.limit(1))).toThrow(/filters alone/)
    expect(() => all.not((cup) => cup.seek([["id", "Asc", 1]]))).toThrow(/filters alone/)
    expect(() => all.anyOf((cup) => cup.filter("id", "equal", 1).lock("Update"))).toThrow(/filters alone/)
    // @ts-expect-error -- no such column
    expect(() => all.not((cup) => cup.filter("colour", "isNull"))).toThrow(/not a column/)
  })

  it("has one shape for the same conditions with other values, and another for other conditions", () => {
    const all = Selection.from(Cup)
    const either = (one: number, other: number) =>
      all.anyOf(
        (cup) => cup.filter("id", "equal", one),
        (cup) => cup.filter("id", "equal", other)
      )
    expect(shapeOf(either(1, 2))).toBe(shapeOf(either(3, 4)))
    const both = all.anyOf((cup) => cup.filter("id", "equal", 1).filter("id", "equal", 2))
    const none = all.not((cup) => cup.filter("id", "equal", 1).filter("id", "equal", 2))
    const plain = all.filter("id", "equal", 1).filter("id", "equal", 2)
    expect(new Set([either(1, 2), both, none, plain].map(shapeOf)).size).toBe(4)
  })

  it("escapes user input in a pattern", () => {
    expect(Selection.escapePattern("50%_\\")).toBe("50\\%\\_\\\\")
  })
})

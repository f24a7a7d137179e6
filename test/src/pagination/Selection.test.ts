import { describe, expect, it } from "@effect/vitest"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Selection from "../../../src/pagination/Selection.ts"

const Cup = Entity.make("cups", { key: "id", columns: { id: Column.integer, name: Column.text } })

describe("a selection", () => {
  it("shows its entity and its query methods, and no internal member", () => {
    const all = Selection.from(Cup)
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(all))
    expect(Object.keys(all)).toEqual(["entity"])
    expect(methods.sort()).toEqual(["constructor", "filter", "limit", "lock", "match", "offset", "order", "seek"])
  })

  it("escapes user input in a pattern", () => {
    expect(Selection.escapePattern("50%_\\")).toBe("50\\%\\_\\\\")
  })
})

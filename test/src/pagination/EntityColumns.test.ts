import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import { columnOf, erase, hasKind } from "../../../src/pagination/internal/columns/EntityColumns.ts"

const Cup = Entity.make("cups", { key: "id", columns: { id: Column.integer, serial: Column.bigint } })
const Branded = Entity.fromSchema("cups", {
  key: "id",
  schema: Schema.Struct({ id: Schema.Int.pipe(Schema.brand("CupId")) })
})

describe("the columns of an entity", () => {
  it("are found by name, and never by the name of an inherited property", () => {
    expect(columnOf(Cup, "id").kind).toBe("integer")
    expect(() => columnOf(Cup, "constructor")).toThrow('"constructor" is not a column of cups')
  })

  it("tell whether JSON needs a string for a 64-bit integer", () => {
    expect(hasKind(Cup, "bigint")).toBe(true)
    expect(hasKind(Branded, "bigint")).toBe(false)
  })

  it("have the types of their kinds once they are erased", () => {
    expect(columnOf(Branded, "id").decodes).toBe(true)
    expect(columnOf(erase(Branded), "id")).toMatchObject({ kind: "integer", decodes: false })
  })
})

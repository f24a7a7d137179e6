import { describe, expect, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import * as Column from "../../../src/pagination/Column.ts"
import { ForeignValue } from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as RowDecoder from "../../../src/pagination/internal/columns/RowDecoder.ts"

const Plain = Entity.make("shelves", { key: "id", columns: { id: Column.integer } })
const Cup = Entity.fromSchema("cups", {
  key: "id",
  schema: Schema.Struct({ id: Schema.BigInt, note: Schema.OptionFromNullOr(Schema.NonEmptyString) })
})

describe("a row decoder", () => {
  it("is not needed where every column has the type of its kind", () => {
    expect(RowDecoder.make(Plain)).toBeUndefined()
    expect(RowDecoder.withRelations(Plain, { other: { target: Plain } })).toBeUndefined()
  })

  it("decodes rows and related rows", () => {
    expect(RowDecoder.make(Cup)?.({ id: 7n, note: null })).toEqual({ id: 7n, note: Option.none() })
    const decode = RowDecoder.withRelations(Plain, {
      first: { target: Cup },
      cups: { target: Cup },
      none: { target: Cup }
    })
    const cup = { id: 1n, note: "blue" }
    expect(decode?.({ id: 1, first: cup, cups: [cup], none: null })).toEqual({
      id: 1,
      first: { id: 1n, note: Option.some("blue") },
      cups: [{ id: 1n, note: Option.some("blue") }],
      none: null
    })
  })

  it("names the column of a value that the schema refuses, and not the value", () => {
    expect(() => RowDecoder.make(Cup)?.({ id: 7n, note: "" })).toThrow(
      new ForeignValue({ table: "cups", column: "note", kind: "text that its schema accepts" })
    )
  })
})

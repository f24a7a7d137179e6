import { Model } from "@effect/sql"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { DateTime, Option, Schema } from "effect"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import { InvalidOperand } from "../../../src/pagination/Column.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { partsOf } from "../../../src/pagination/internal/query/SelectionState.ts"

const CupId = Schema.Int.pipe(Schema.brand("CupId"))
const fields = {
  id: CupId,
  name: Schema.NonEmptyString,
  made_at: Schema.DateTimeUtc,
  note: Schema.OptionFromNullOr(Schema.String),
  serial: Schema.BigInt
}
const Cup = Entity.fromSchema("cups", { key: "id", schema: Schema.Struct(fields) })
const made = DateTime.unsafeMake("2024-02-29T12:00:00Z")
const row = { id: CupId.make(1), name: "blue", made_at: made, note: Option.none<string>(), serial: 2n ** 60n }
const valuesOf = <C extends Column.Columns>(selection: Selection.Selection<C>) =>
  partsOf(selection).restrictions.map((one) => (one._tag === "Filter" ? one.values : "pattern" in one && one.pattern))

describe("an entity of columns", () => {
  it("reads a row from JSON", () => {
    const Plain = Entity.make("cups", {
      key: "id",
      columns: { id: Column.bigint, note: Column.nullable(Column.text), at: Column.timestamp }
    })
    const decoded = Schema.decodeUnknownSync(Plain.schema)({ id: "7", note: null, at: "2024-02-29T12:00:00Z" })
    expect(decoded).toEqual({ id: 7n, note: null, at: "2024-02-29T12:00:00Z" })
    expectTypeOf(decoded).toEqualTypeOf<{ readonly id: bigint; readonly note: string | null; readonly at: string }>()
  })
})

describe("an entity of a schema", () => {
  it("keeps brands and transformations in the type of its rows", () => {
    expectTypeOf<typeof Cup.schema.Type>().toEqualTypeOf<{
      readonly id: typeof CupId.Type
      readonly name: string
      readonly made_at: DateTime.Utc
      readonly note: Option.Option<string>
      readonly serial: bigint
    }>()
    const json = { id: 1, name: "blue", made_at: "2024-02-29T12:00:00.000Z", note: null, serial: `${2n ** 60n}` }
    expect(Schema.decodeUnknownSync(Cup.schema)(json)).toEqual(row)
    expect(Schema.encodeSync(Cup.schema)(row)).toEqual(json)
  })

  it("takes a class and a model", () => {
    class CupClass extends Schema.Class<CupClass>("CupClass")(fields) {}
    class CupModel extends Model.Class<CupModel>("CupModel")({ id: Model.Generated(CupId), name: Schema.String }) {}
    expect(Entity.fromSchema("cups", { key: "id", schema: CupClass }).columns).toMatchObject({
      id: { kind: "integer" },
      made_at: { kind: "timestamp" }
    })
    expect(Entity.fromSchema("cups", { key: "id", schema: CupModel }).names).toEqual(["id", "name"])
  })

  it("takes operands of the column's type and compares what the database holds", () => {
    const all = Selection.from(Cup)
    expect(valuesOf(all.filter("id", "equal", CupId.make(7)))).toEqual([[7]])
    expect(valuesOf(all.filter("made_at", "between", [made, made]))).toEqual([
      ["2024-02-29T12:00:00.000Z", "2024-02-29T12:00:00.000Z"]
    ])
    expect(valuesOf(all.filter("note", "in", [Option.some("a")]))).toEqual([["a"]])
    expect(valuesOf(all.filter("serial", "less", 9n))).toEqual([[9n]])
    expect(valuesOf(all.match("name", "like", "b%"))).toEqual(["b%"])
    expect(partsOf(all.seek([["id", "Asc", CupId.make(3)]])).position).toEqual([
      { column: "id", direction: "Asc", value: 3 }
    ])
  })

  it("refuses operands of another type", () => {
    const all = Selection.from(Cup)
    // @ts-expect-error -- a plain number is not a CupId
    expect(() => all.filter("id", "equal", 7.5)).toThrow(InvalidOperand)
    // @ts-expect-error -- the type is DateTime.Utc, not its text
    expect(() => all.filter("made_at", "equal", "2024-02-29")).toThrow(
      "needs a value of its schema, and was given a string"
    )
    expect(() => all.filter("note", "equal", Option.none())).toThrow(InvalidOperand)
    // @ts-expect-error -- the key may not be nullable
    Entity.fromSchema("cups", { key: "note", schema: Schema.Struct(fields) })
  })

  it("has no field that a column cannot hold", () => {
    const schema = Schema.Struct({ id: CupId, tags: Schema.BigIntFromSelf })
    // @ts-expect-error -- JSON has no such value
    expect(() => Entity.fromSchema("cups", { key: "id", schema })).toThrow(
      "cups.tags is encoded to a value that no column holds"
    )
  })
})

import { describe, expect, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import * as SchemaColumn from "../../../src/pagination/internal/columns/SchemaColumn.ts"

const Level = { Low: "low", High: "high" } as const

const fields: ReadonlyArray<readonly [string, Schema.Schema.AnyNoContext, string, boolean]> = [
  ["a string", Schema.String, "text", false],
  ["a branded string", Schema.NonEmptyString.pipe(Schema.brand("Title")), "text", false],
  ["string literals", Schema.Literal("draft", "live"), "text", false],
  ["an enum of strings", Schema.Enums(Level), "text", false],
  ["a template", Schema.TemplateLiteral("a-", Schema.Number), "text", false],
  ["a trimming string", Schema.Trim, "text", false],
  ["a number in a string", Schema.NumberFromString, "text", false],
  ["a UUID", Schema.UUID, "uuid", false],
  ["a branded UUID", Schema.UUID.pipe(Schema.brand("UserId")), "uuid", false],
  ["a DateTime", Schema.DateTimeUtc, "timestamp", false],
  ["a Date", Schema.Date, "timestamp", false],
  ["an optional DateTime", Schema.OptionFromNullOr(Schema.DateTimeUtc), "timestamp", true],
  ["an integer", Schema.Int, "integer", false],
  ["a branded positive integer", Schema.Int.pipe(Schema.positive(), Schema.brand("Id")), "integer", false],
  ["integer literals", Schema.Literal(1, 2), "integer", false],
  ["a Date in milliseconds", Schema.DateFromNumber, "integer", false],
  ["a number", Schema.Number, "float", false],
  ["number literals", Schema.Literal(1, 1.5), "float", false],
  ["a bigint", Schema.BigInt, "bigint", false],
  ["a branded bigint", Schema.BigInt.pipe(Schema.brand("Id")), "bigint", false],
  ["a boolean", Schema.Boolean, "boolean", false],
  ["a nullable number", Schema.NullOr(Schema.Int), "integer", true],
  ["bytes", Schema.Uint8ArrayFromBase64, "bytes", false],
  ["nullable bytes", Schema.NullOr(Schema.Uint8ArrayFromBase64), "bytes", true],
  ["a date", Schema.String.annotations({ jsonSchema: { type: "string", format: "date" } }), "date", false],
  [
    "a branded time",
    Schema.String.annotations({ jsonSchema: { format: "time" } }).pipe(Schema.brand("Opening")),
    "time",
    false
  ],
  ["a struct", Schema.Struct({ a: Schema.String }), "json", false],
  ["a nullable list", Schema.NullOr(Schema.Array(Schema.Int)), "json", true],
  ["a record", Schema.Record({ key: Schema.String, value: Schema.Number }), "json", false],
  ["a decimal without a scale", Schema.BigDecimal, "text", false],
  ["bytes in hexadecimal digits", Schema.Uint8ArrayFromHex, "text", false],
  ["JSON in a string", Schema.parseJson(Schema.Struct({ a: Schema.Int })), "text", false],
  ["an Option", Schema.OptionFromNullOr(Schema.String), "text", true]
]

describe("the column of a schema", () => {
  it.each(fields)("of %s", (_name, schema, kind, nullable) => {
    expect(SchemaColumn.make(schema)).toMatchObject({ kind, nullable })
  })

  it("is a decimal where a scale is given", () => {
    expect(SchemaColumn.make(Schema.NullOr(Schema.BigDecimal), 2)).toMatchObject({
      kind: "decimal",
      nullable: true,
      scale: 2,
      decodes: true
    })
    expect(SchemaColumn.make(Schema.Int, 2)).toBeUndefined()
    expect(() => SchemaColumn.make(Schema.BigDecimal, 19)).toThrow(/scale/)
  })

  const written = (digits: number) =>
    Schema.transform(Schema.String, Schema.DateTimeUtcFromSelf, {
      strict: true,
      decode: (text) => DateTime.unsafeMake(text),
      encode: (at) =>
        DateTime.formatIso(at).replace(/\.(\d{3})Z$/, digits === 0 ? "Z" : `.${"$1000".slice(0, 2 + digits - 3)}Z`)
    })
  it("has the digits of a second that the schema of a timestamp writes", () => {
    for (const schema of [Schema.Date, Schema.DateTimeUtc, Schema.NullOr(Schema.DateTimeUtc)]) {
      expect(SchemaColumn.make(schema)?.scale).toBe(3)
    }
    const late = Schema.Date.pipe(Schema.filter((at) => at.getUTCFullYear() > 2050))
    expect(SchemaColumn.make(late)?.scale).toBe(3)
    expect([6, 3, 0].map((digits) => SchemaColumn.make(written(digits))?.scale)).toEqual([6, 3, 0])
    expect(SchemaColumn.make(Schema.Date.pipe(Schema.filter(() => false)))?.scale).toBe(3)
    expect(SchemaColumn.make(Schema.String)?.scale).toBeUndefined()
  })

  it.each([
    ["a struct or a string", Schema.Union(Schema.Struct({ a: Schema.String }), Schema.String)],
    ["a bigint in memory", Schema.BigIntFromSelf],
    ["a Date in memory", Schema.DateFromSelf],
    ["strings and numbers", Schema.Union(Schema.String, Schema.Number)],
    ["null alone", Schema.Null]
  ])("does not exist for %s", (_name, schema) => {
    expect(SchemaColumn.make(schema)).toBeUndefined()
  })
})

import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import * as Column from "../../../src/pagination/Column.ts"
import * as ColumnValue from "../../../src/pagination/internal/columns/ColumnValue.ts"
import { decimalOf, decimalUnits, isDecimal, parseJson } from "../../../src/pagination/internal/columns/ColumnValue.ts"

describe("Column", () => {
  it.each([
    [Column.integer, "7", 7],
    [Column.integer, 7n, 7],
    [Column.bigint, "9223372036854775807", 9223372036854775807n],
    [Column.boolean, 1, true],
    [Column.boolean, 0, false],
    [Column.boolean, true, true],
    [Column.float, 1.5, 1.5],
    [Column.date, "2024-02-29", "2024-02-29"],
    [Column.decimal(2), "12.50", "12.50"],
    [Column.bytes, "00FF", "AP8="],
    [Column.json(Schema.Unknown), "7", 7],
    [Column.nullable(Column.text), null, null]
  ])("reads %o from %s as %s", (column, raw, value) => {
    expect(ColumnValue.reader(column)(raw)).toBe(value)
  })

  it.each([
    [Column.text, 7],
    [Column.text, null],
    [Column.integer, "9007199254740993"],
    [Column.integer, 1.5],
    [Column.boolean, 2],
    [Column.timestamp, new Date(0)],
    [Column.decimal(2), 12.5],
    [Column.json(Schema.Unknown), "{oops"]
  ])("does not read %o from %s", (column, raw) => {
    expect(ColumnValue.reader(column)(raw)).toBeUndefined()
  })

  it.each([
    ["text", "Bob", "Bob"],
    ["uuid", "018f3c2e-7b1a-7c3d-9e4f-0123456789ab", "018f3c2e-7b1a-7c3d-9e4f-0123456789ab"],
    ["timestamp", "2024-02-29T23:59:59.999999Z", "2024-02-29T23:59:59.999999Z"],
    ["timestamp", "2000-02-29 00:00:00+05:30", "2000-02-29 00:00:00+05:30"],
    ["timestamp", "infinity", "infinity"],
    ["integer", 7, 7],
    ["bigint", 7, 7n],
    ["bigint", 2n ** 63n - 1n, 2n ** 63n - 1n],
    ["float", 2n ** 60n, 2 ** 60],
    ["float", "-Infinity", -Infinity],
    ["boolean", false, false],
    ["date", "2024-02-29", "2024-02-29"],
    ["date", "-infinity", "-infinity"],
    ["time", "24:00:00", "24:00:00"],
    ["time", "23:59:59.999999", "23:59:59.999999"],
    ["decimal", "-120.50", "-120.50"],
    ["decimal", "NaN", "NaN"],
    ["bytes", "AP8=", "AP8="]
  ] as const)("takes for a %s column %s", (kind, value, fitting) => {
    expect(ColumnValue.coerce({ kind }, value)).toBe(fitting)
  })

  it.each([
    ["text", 7],
    ["text", "half a pair \ud800"],
    ["uuid", "018f3c2e7b1a7c3d9e4f0123456789ab"],
    ["uuid", "018f3c2e-7b1a-7c3d-9e4f-0123456789ab\n"],
    ["timestamp", "2023-02-29T00:00:00Z"],
    ["timestamp", "1900-02-29T00:00:00Z"],
    ["timestamp", "2024-01-32T00:00:00Z"],
    ["timestamp", "2024-13-01T00:00:00Z"],
    ["timestamp", "2024-00-01T00:00:00Z"],
    ["timestamp", "0000-01-01T00:00:00Z"],
    ["timestamp", "2024-01-01T24:00:00Z"],
    ["timestamp", "2024-01-01T00:00:60Z"],
    ["timestamp", "2024-01-01T00:00:00.1234567Z"],
    ["timestamp", "2024-01-01T00:00:00"],
    ["timestamp", "2024-01-01T00:00:00+99:00"],
    ["timestamp", "now"],
    ["timestamp", "2024-01-01"],
    ["integer", "7"],
    ["integer", 1.5],
    ["integer", 2 ** 53],
    ["integer", true],
    ["bigint", 1.5],
    ["bigint", 2n ** 63n],
    ["bigint", "7"],
    ["float", "7"],
    ["float", "toString"],
    ["boolean", 1],
    ["boolean", "true"],
    ["date", "2023-02-29"],
    ["date", "2024-2-9"],
    ["date", "2024-02-29T00:00:00Z"],
    ["date", "0000-01-01"],
    ["date", "today"],
    ["time", "24:00:01"],
    ["time", "12:60:00"],
    ["time", "12:00"],
    ["time", "allballs"],
    ["decimal", "1e5"],
    ["decimal", ".5"],
    ["decimal", 7],
    ["decimal", "9".repeat(101)],
    ["bytes", "AP8"],
    ["bytes", "AP9=\n"],
    ["bytes", "!"],
    ["json", "{}"]
  ] as const)("refuses for a %s column %s", (kind, value) => {
    expect(ColumnValue.coerce({ kind }, value)).toBeUndefined()
  })

  it.prop("keeps every float in JSON", [fc.double()], ([value]) => {
    const carried = JSON.parse(JSON.stringify(ColumnValue.toCursor(value)))
    expect(Object.is(ColumnValue.coerce(Column.float, carried), Object.is(value, -0) ? 0 : value)).toBe(true)
  })
})

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const scale = fc.integer({ min: 0, max: 18 })

describe("A decimal number", () => {
  it.prop("is the same after it was stored in units", [int64, scale], ([units, scale]) => {
    const text = decimalOf(String(units), scale)
    expect(isDecimal(text)).toBe(true)
    expect(decimalUnits(text, scale)).toBe(units)
  })

  it.prop("orders like its units", [int64, int64], ([left, right]) => {
    const [a, b] = [left, right].map((units) => Number(decimalOf(String(units), 2)))
    if (left < right) expect(a).toBeLessThanOrEqual(Number(b))
  })

  it("has as many digits after the point as its column", () => {
    expect(decimalOf("5", 2)).toBe("0.05")
    expect(decimalOf("-5", 2)).toBe("-0.05")
    expect(decimalOf("1250", 2)).toBe("12.50")
    expect(decimalOf("1250", 0)).toBe("1250")
    expect(decimalUnits("12.5", 2)).toBe(1250n)
    expect(decimalUnits("-12", 2)).toBe(-1200n)
    expect(decimalUnits("12.505", 2)).toBeUndefined()
  })

  it("is refused past 64 bits of units, and when it is none", () => {
    expect(decimalUnits("92233720368547758.08", 2)).toBeUndefined()
    expect(decimalUnits("NaN", 2)).toBeUndefined()
    for (const text of ["", "-", "1.", ".5", "1e5", "+1", "0x10", "1_000", " 1", "infinity"]) {
      expect([text, isDecimal(text)]).toEqual([text, false])
    }
  })
})

describe("The JSON of a column", () => {
  it.prop("is its value", [fc.jsonValue()], ([value]) => {
    const text = JSON.stringify(value)
    expect(JSON.stringify(parseJson(text))).toBe(text)
  })

  it("is frozen to its leaves, and is none for a text that is no JSON", () => {
    const value = parseJson('{"a":[{"b":1}]}')
    expect(Object.isFrozen(value)).toBe(true)
    expect(() => ((value as { a: Array<{ b: number }> }).a[0] ?? { b: 0 }).b++).toThrow(TypeError)
    expect(parseJson("{")).toBeUndefined()
  })
})

describe("JSON", () => {
  it("has the integers that a number is again, also where a database spells them out, and no others", () => {
    for (const value of [1e300, -1e21, 2 ** 70, 12345e20, 2 ** 53]) {
      expect(ColumnValue.parseJson(`[${BigInt(value)}]`)).toEqual([value])
    }
    expect(ColumnValue.parseJson(`[1${"0".repeat(300)}]`)).toEqual([1e300])
    expect(ColumnValue.parseJson(`[-1${"0".repeat(21)}]`)).toEqual([-1e21])
    for (const text of ["9007199254740993", "9999999999999999999", `1${"0".repeat(299)}1`, "1".repeat(400)]) {
      expect(ColumnValue.parseJson(`{"a":${text}}`)).toBeUndefined()
    }
  })
})

import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import * as Column from "../../../src/pagination/Column.ts"
import * as ColumnValue from "../../../src/pagination/internal/columns/ColumnValue.ts"
import {
  decimalOf,
  decimalOperand,
  isDecimal,
  parseJson
} from "../../../src/pagination/internal/columns/ColumnValue.ts"

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
    [Column.uuid, "018f3c2e-7b1a-7c3d-9e4f-0123456789ab", "018f3c2e-7b1a-7c3d-9e4f-0123456789ab"],
    [Column.json(Schema.Unknown), 1e300, 1e300],
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
    [Column.uuid, "018f3c2e-7b1a-7c3d-9e4f-0123456789AB"],
    [Column.json(Schema.Unknown), Infinity],
    [Column.json(Schema.Unknown), "{oops"]
  ])("does not read %o from %s", (column, raw) => {
    expect(ColumnValue.reader(column)(raw)).toBeUndefined()
  })

  it.each([
    ["text", "Bob", "Bob"],
    ["uuid", "018f3c2e-7b1a-7c3d-9e4f-0123456789ab", "018f3c2e-7b1a-7c3d-9e4f-0123456789ab"],
    ["uuid", "018F3C2E-7B1A-7C3D-9E4F-0123456789AB", "018f3c2e-7b1a-7c3d-9e4f-0123456789ab"],
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

const operators = ["equal", "unequal", "less", "lessOrEqual", "greater", "greaterOrEqual"] as const
type Comparison = (typeof operators)[number]

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const scale = fc.integer({ min: 0, max: 18 })

describe("A decimal number", () => {
  it.prop("is the same after it was stored in units", [int64, scale], ([units, scale]) => {
    const text = decimalOf(String(units), scale)
    expect(isDecimal(text)).toBe(true)
    expect(decimalOperand(text, scale)).toBe(units)
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
    expect(decimalOperand("12.5", 2)).toBe(1250n)
    expect(decimalOperand("-12", 2)).toBe(-1200n)
  })

  // A number and a bigint of the same value are not identical.
  const isSame = (units: bigint, operand: bigint | number) => !(units < operand) && !(units > operand)
  const compared: Readonly<Record<Comparison, (units: bigint, operand: bigint | number) => boolean>> = {
    equal: isSame,
    unequal: (units, operand) => !isSame(units, operand),
    less: (units, operand) => units < operand,
    lessOrEqual: (units, operand) => units <= operand,
    greater: (units, operand) => units > operand,
    greaterOrEqual: (units, operand) => units >= operand
  }
  const bounds: Readonly<Record<Comparison, ColumnValue.Bound>> = {
    equal: "none",
    unequal: "none",
    less: "above",
    lessOrEqual: "below",
    greater: "below",
    greaterOrEqual: "above"
  }
  it.prop(
    "is compared with a finer one as PostgreSQL compares them, however many units it has",
    [int64, scale, fc.integer({ min: 0, max: 3 }), fc.integer({ min: -2500, max: 2500 })],
    ([units, scale, finer, distance]) => {
      const exact = units * 10n ** BigInt(finer)
      const other = exact + BigInt(distance)
      const text = decimalOf(String(other), scale + finer)
      for (const operator of operators) {
        const operand = decimalOperand(text, scale, bounds[operator])
        const found = operand !== undefined && compared[operator](units, operand)
        expect([operator, found]).toEqual([operator, compared[operator](exact, other)])
      }
    }
  )

  it("is below NaN and infinity, and is neither", () => {
    for (const [operator, bound] of [
      ["equal", "none"],
      ["greater", "below"],
      ["greaterOrEqual", "above"]
    ] as const) {
      for (const text of ["NaN", "Infinity", "9".repeat(40)]) {
        expect(compared[operator](2n ** 63n - 1n, decimalOperand(text, 2, bound) ?? 0)).toBe(false)
      }
    }
    expect(decimalOperand("NaN", 2)).toBeUndefined()
    expect(decimalOperand("-Infinity", 2, "above")).toBe(-Infinity)
  })

  it("is not one in any other spelling", () => {
    for (const text of ["", "-", "1.", ".5", "1e5", "+1", "0x10", "1_000", " 1", "infinity"]) {
      expect([text, isDecimal(text)]).toEqual([text, false])
    }
  })
})

describe("A moment of SQLite", () => {
  // Around a second, so that most of them differ in their last digits alone.
  const micros = fc.integer({ min: 0, max: 1_999_999 })
  const at = (micros: number): string =>
    `2024-02-29T23:59:${String(58 + Math.floor(micros / 1e6)).padStart(2, "0")}.${String(micros % 1e6).padStart(6, "0")}Z`

  it.prop(
    "orders as a text among operands to the microsecond, whatever digits its column has",
    [micros, micros, fc.integer({ min: 0, max: 6 })],
    ([stored, given, digits]) => {
      const unit = 10 ** (6 - digits)
      const held = stored - (stored % unit)
      const text = ColumnValue.spell("timestamp", at(held), digits)
      expect(ColumnValue.isSpelledFor.timestamp(text, digits)).toBe(true)
      const operand = ColumnValue.spell("timestamp", at(given), digits)
      expect([text < operand, text === operand]).toEqual([held < given, held === given])
    }
  )

  it.each([
    ["timestamp", "0044-03-15T00:00:00Z BC"],
    ["timestamp", "-infinity"],
    ["timestamp", "9999-12-31T23:59:59-10:00"],
    ["timestamp", "12024-01-01T00:00:00Z"],
    ["timestamp", "infinity"],
    ["date", "0044-03-15 BC"],
    ["date", "12024-01-01"]
  ] as const)("of the kind %s is before or after %s as it is in time", (kind, text) => {
    const isBefore = text.includes("BC") || text.startsWith("-")
    for (const stored of kind === "date" ? ["0001-01-01", "9999-12-31"] : [at(0), "9999-12-31T23:59:59.999999Z"]) {
      expect(ColumnValue.spell(kind, text) < stored).toBe(isBefore)
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
    // Digits of a text, after any escapes, are no number, and a text has any length.
    for (const given of ["9007199254740993", '\\"9007199254740993', "\\\\", '\\\\\\"9007199254740993\\n']) {
      const text = `["${given}",1234567890123456]`
      expect(ColumnValue.parseJson(text)).toEqual(JSON.parse(text))
      expect(ColumnValue.parseJson(`["${given}",9007199254740993]`)).toBeUndefined()
    }
    expect(ColumnValue.parseJson(`["${"x".repeat(1e7)}",1234567890123456]`)).toMatchObject({ 1: 1234567890123456 })
    for (const text of [
      "1e400",
      "-1e400",
      "9007199254740993",
      "9999999999999999999",
      `1${"0".repeat(299)}1`,
      "1".repeat(400)
    ]) {
      expect(ColumnValue.parseJson(`{"a":${text}}`)).toBeUndefined()
    }
  })
})

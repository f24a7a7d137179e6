import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Column from "../../../src/pagination/Column.ts"
import * as ColumnValue from "../../../src/pagination/ColumnValue.ts"

describe("Column", () => {
  it.each([
    [Column.integer, "7", 7],
    [Column.integer, 7n, 7],
    [Column.bigint, "9223372036854775807", 9223372036854775807n],
    [Column.boolean, 1, true],
    [Column.boolean, 0, false],
    [Column.boolean, true, true],
    [Column.float, 1.5, 1.5],
    [Column.nullable(Column.text), null, null]
  ])("reads %o from %s as %s", (column, raw, value) => {
    expect(ColumnValue.read(column, raw)).toBe(value)
  })

  it.each([
    [Column.text, 7],
    [Column.text, null],
    [Column.integer, "9007199254740993"],
    [Column.integer, 1.5],
    [Column.boolean, 2],
    [Column.timestamp, new Date(0)]
  ])("does not read %o from %s", (column, raw) => {
    expect(ColumnValue.read(column, raw)).toBeUndefined()
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
    ["boolean", false, false]
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
    ["boolean", "true"]
  ] as const)("refuses for a %s column %s", (kind, value) => {
    expect(ColumnValue.coerce({ kind }, value)).toBeUndefined()
  })

  it.prop("keeps every float in JSON", [fc.double()], ([value]) => {
    const carried = JSON.parse(JSON.stringify(ColumnValue.toCursor(value)))
    expect(Object.is(ColumnValue.coerce(Column.float, carried), Object.is(value, -0) ? 0 : value)).toBe(true)
  })
})

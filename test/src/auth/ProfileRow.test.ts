import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Schema } from "effect"
import { columnsOf, fromDriver } from "../../../src/auth/internal/profile/ProfileRow.ts"

const columns = columnsOf(
  Schema.Struct({
    name: Schema.Trim,
    age: Schema.NumberFromString,
    role: Schema.optionalWith(Schema.Literal("member", "admin"), { default: () => "member" }),
    is_vip: Schema.Boolean,
    points: Schema.Number,
    since: Schema.Date,
    note: Schema.optional(Schema.String),
    title: Schema.NullOr(Schema.String)
  }).ast
)

const row = {
  name: "Ann",
  age: "30",
  role: "admin",
  is_vip: true,
  points: 12,
  since: "2026-01-05T10:00:00.000Z",
  note: "x",
  title: "Dr"
}

describe("the row of a profile", () => {
  it("has the columns of the schema, in its order", () => {
    expect(columns.map(({ name }) => name)).toEqual(Object.keys(row))
    expect(columns.filter(({ isOptional }) => isOptional).map(({ name }) => name)).toEqual(["role", "note"])
  })

  it.each([
    ["as it is", {}],
    ["SQLite's booleans", { is_vip: 1 }],
    ["a BIGINT as text", { points: "12" }],
    ["an integer column for a text", { age: 30 }],
    ["a bigint for a text", { age: 30n }],
    ["a timestamp", { since: new Date("2026-01-05T10:00:00Z") }]
  ])("reads what a driver returns: %s", (_, values) => {
    expect(fromDriver(columns, { ...row, ...values })).toEqual(row)
  })

  it("leaves out what is NULL and optional, and keeps a NULL that the schema has", () => {
    const { note: _note, role: _role, ...rest } = row
    expect(fromDriver(columns, { ...row, note: null, role: null, title: null })).toEqual({ ...rest, title: null })
  })

  it.prop("keeps whatever fits the schema", [FastCheck.string(), FastCheck.boolean(), FastCheck.integer()], (given) => {
    const [name, is_vip, points] = given
    expect(fromDriver(columns, { ...row, name, is_vip, points })).toEqual({ ...row, name, is_vip, points })
  })

  it.prop(
    "never returns anything but scalars of its columns",
    [FastCheck.dictionary(FastCheck.string(), FastCheck.anything())],
    ([values]) => {
      const names = new Set(Object.keys(row))
      for (const [name, value] of Object.entries(fromDriver(columns, { ...values, name: [] }))) {
        expect(names.has(name)).toBe(true)
        expect(value === null || ["string", "number", "boolean"].includes(typeof value)).toBe(true)
      }
    }
  )
})

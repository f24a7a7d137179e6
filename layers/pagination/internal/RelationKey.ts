// The key of a relation on both of its sides, whose columns may be of different kinds: a 64-bit integer and a plain one,
// a UUID and a text, a number and its digits.
import type { Column } from "../../../src/pagination/Column.ts"
import type * as ColumnKind from "../../../src/pagination/internal/columns/ColumnKind.ts"
import * as ColumnValue from "../../../src/pagination/internal/columns/ColumnValue.ts"
import type { Dialect } from "../../../src/pagination/internal/query/Dialect.ts"

type Seek = (value: ColumnKind.Scalar) => ColumnKind.Scalar | undefined

// A decimal that is whole is an integer, whatever its scale.
const digits = /^(-?\d{1,19})(?:\.0+)?$/

const integer: Seek = (value) => {
  if (typeof value !== "string") return Number.isSafeInteger(value) ? BigInt(value) : value
  const [, whole] = digits.exec(value) ?? []
  return whole === undefined ? undefined : BigInt(whole)
}

// The usual key is a number on both sides and needs no `bigint` between them.
const small: Seek = (value) => (typeof value === "number" ? value : integer(value))

const text: Seek = (value) => (typeof value === "number" || typeof value === "bigint" ? String(value) : value)

// A decimal of another scale is the same number.
const decimal: Seek = (value) => {
  const digits = text(value)
  return typeof digits === "string" && digits.includes(".") ? digits.replace(/\.?0*$/, "") : digits
}

// A number that is rounded would find the row of another key.
const float: Seek = (value) => (typeof value === "bigint" && BigInt(Number(value)) !== value ? undefined : value)

const seeks: Readonly<Record<ColumnKind.Kind, Seek>> = {
  text,
  uuid: text,
  timestamp: text,
  integer: small,
  bigint: integer,
  float,
  boolean: (value) => value,
  date: text,
  time: text,
  decimal,
  bytes: text,
  json: () => undefined
}

/** A value of the other side as this column would hold it; `undefined` when it cannot, so that it is not looked up. */
export const seek = (dialect: Dialect, column: Column, value: unknown): ColumnKind.Scalar | undefined => {
  const sought = ColumnValue.isScalar(value) ? seeks[column.kind](value) : undefined
  const held = sought === undefined ? undefined : ColumnValue.coerce(column, sought)
  return held !== undefined && dialect.holds(held, column) ? held : undefined
}

// The key of a relation on both of its sides, whose columns may be of different kinds: a 64-bit integer and a plain one,
// a UUID and a text, a number and its digits.
import type { Column } from "../../src/pagination/Column.ts"
import type * as ColumnKind from "../../src/pagination/ColumnKind.ts"
import * as ColumnValue from "../../src/pagination/ColumnValue.ts"

/** How values of one side are looked up on the other. */
export interface RelationKey {
  /** A value of this side as the other side would hold it; `undefined` when it cannot, so that it is not looked up. */
  readonly seek: (value: unknown) => ColumnKind.Scalar | undefined
  /** One text for all values that the database calls equal. */
  readonly of: (value: ColumnKind.Scalar) => string
}

type Row = Readonly<Record<string, unknown>>

const digits = /^-?\d{1,19}$/

const integer = (value: ColumnKind.Scalar): ColumnKind.Scalar | undefined => {
  if (typeof value === "string") return digits.test(value) ? BigInt(value) : undefined
  return Number.isSafeInteger(value) ? BigInt(value) : value
}

const text = (value: ColumnKind.Scalar): ColumnKind.Scalar | undefined => {
  const kept = typeof value === "number" || typeof value === "bigint" ? String(value) : value
  // PostgreSQL holds no U+0000, and so no row with it.
  return typeof kept === "string" && kept.includes("\0") ? undefined : kept
}

const seeks: Readonly<Record<ColumnKind.Kind, (value: ColumnKind.Scalar) => ColumnKind.Scalar | undefined>> = {
  text,
  uuid: text,
  timestamp: text,
  integer,
  bigint: integer,
  float: (value) => value,
  boolean: (value) => value,
  date: text,
  time: text,
  decimal: text,
  bytes: text,
  json: () => undefined
}

/** For a column of this kind on the other side. */
export const make = (column: Pick<Column, "kind">): RelationKey => {
  const { kind } = column
  return {
    seek: (value) => {
      const sought = ColumnValue.isScalar(value) ? seeks[kind](value) : undefined
      return sought === undefined ? undefined : ColumnValue.coerce(column, sought)
    },
    of: kind === "uuid" ? (value) => String(value).toLowerCase() : String
  }
}

/** No rows. */
export const noRows: ReadonlyArray<never> = Object.freeze([])

// Two texts that a collation calls equal: SQLite's NOCASE and RTRIM, PostgreSQL's citext and padded characters.
const folded = (key: string): string => key.trimEnd().toLowerCase()

/**
 * The rows of each value, in their order. Frozen, since requests share a page. `keys` are the names of all
 * values that were looked for.
 */
export const group = <R extends Row>(
  key: RelationKey,
  keys: ReadonlyMap<string, unknown>,
  rows: ReadonlyArray<R>,
  column: string
): ((value: ColumnKind.Scalar) => ReadonlyArray<R>) => {
  const groups = new Map<string, Array<R>>()
  for (const row of rows) {
    const value = row[column]
    if (!ColumnValue.isScalar(value)) continue
    const name = key.of(value)
    const known = groups.get(name)
    if (known === undefined) groups.set(name, [row])
    else known.push(row)
  }
  for (const rows of groups.values()) Object.freeze(rows)
  // A row whose key was not looked up was found by a collation that treats it as equal to one that was.
  const close = new Map<string, ReadonlyArray<R>>()
  for (const [name, rows] of groups) if (!keys.has(name)) close.set(folded(name), rows)
  return (value) => {
    const name = key.of(value)
    return groups.get(name) ?? (close.size === 0 ? noRows : (close.get(folded(name)) ?? noRows))
  }
}

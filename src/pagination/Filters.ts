// Whether the filters of a list can be sent to a database at all: their values come from clients.
import type * as Column from "./Column.ts"
import type * as ColumnKind from "./ColumnKind.ts"
import { coerce } from "./ColumnValue.ts"
import type { Dialect } from "./Dialect.ts"
import { columnOf } from "./EntityColumns.ts"
import { InvalidPagination } from "./Pagination.ts"
import type { Selection } from "./Selection.ts"
import { partsOf } from "./SelectionState.ts"

/** Characters of a pattern: SQLite fails on one of more than 50,000 bytes. */
export const maxPatternLength = 10_000

/** Values of all filters together: SQLite takes 32,766 with those of the position and the size, PostgreSQL twice as many. */
export const maxValues = 30_000

/**
 * Why a list cannot be filtered like this: a value of the right type that the column cannot hold, such as NaN, a UUID
 * that is malformed or a text with U+0000. Clients send such values, and some of them fail in the database.
 */
export const refusal = <C extends Column.Columns>(
  dialect: Dialect,
  selection: Selection<C>
): InvalidPagination | undefined => {
  let count = 0
  for (const restriction of partsOf(selection).restrictions) {
    const { column } = restriction
    const given = restriction._tag === "Match" ? [restriction.pattern] : restriction.values
    count += given.length
    const kept = columnOf(selection.entity, column)
    if (!given.every((value) => holds(dialect, kept, value))) return refused(column, "a value that it cannot hold")
    if (restriction._tag === "Match" && restriction.pattern.length > maxPatternLength) {
      return refused(column, `a pattern of more than ${maxPatternLength} characters`)
    }
  }
  return count > maxValues
    ? new InvalidPagination({ reason: `The filters hold more than ${maxValues} values.` })
    : undefined
}

const holds = (dialect: Dialect, column: Column.Column, value: ColumnKind.Scalar): boolean => {
  const coerced = coerce(column, value)
  if (coerced === undefined || Number.isNaN(coerced)) return false
  return dialect.holds(coerced, column)
}

const refused = (column: string, what: string): InvalidPagination =>
  new InvalidPagination({ reason: `The filter on "${column}" was given ${what}.` })

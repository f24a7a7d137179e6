// Whether the filters of a list can be sent to a database at all: their values come from clients.
import * as Column from "./Column.ts"
import type { Dialect } from "./Dialect.ts"
import * as Entity from "./Entity.ts"
import { InvalidPagination } from "./Pagination.ts"
import type { Selection } from "./Selection.ts"

/** Characters of a pattern: SQLite fails on one of more than 50,000 bytes. */
export const longestPattern = 10_000

/** Values of all filters together: SQLite takes 32,766 with those of the position and the size, PostgreSQL twice as many. */
export const mostValues = 30_000

/**
 * Why a list cannot be filtered like this: a value of the right type that the column cannot hold, such as NaN, a UUID
 * that is none or a text with U+0000. Clients send such values, and a database answers some of them with an error.
 */
export const refusal = <C extends Column.Columns>(
  dialect: Dialect,
  { entity, parts }: Selection<C>
): InvalidPagination | undefined => {
  let count = 0
  for (const restriction of parts.restrictions) {
    const { column } = restriction
    const given = restriction._tag === "Match" ? [restriction.pattern] : restriction.values
    count += given.length
    const kept = Entity.columnOf(entity, column)
    if (!given.every((value) => holds(dialect, kept, value))) return refused(column, "a value that it cannot hold")
    if (restriction._tag === "Match" && restriction.pattern.length > longestPattern) {
      return refused(column, `a pattern of more than ${longestPattern} characters`)
    }
  }
  return count > mostValues
    ? new InvalidPagination({ reason: `The filters hold more than ${mostValues} values.` })
    : undefined
}

const holds = (dialect: Dialect, column: Column.Column, value: Column.Scalar): boolean => {
  const fitting = Column.fit(column, value)
  if (fitting === undefined || Number.isNaN(fitting)) return false
  return dialect.holdsNul || typeof fitting !== "string" || !fitting.includes("\0")
}

const refused = (column: string, what: string): InvalidPagination =>
  new InvalidPagination({ reason: `The filter on "${column}" was given ${what}.` })

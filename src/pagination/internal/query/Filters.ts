// Whether the filters of a list can be sent to a database at all: their values come from clients.
import type * as Column from "../../Column.ts"
import type * as ColumnKind from "../columns/ColumnKind.ts"
import { coerce } from "../columns/ColumnValue.ts"
import type { Dialect } from "./Dialect.ts"
import { columnOf } from "../columns/EntityColumns.ts"
import type * as EntityRow from "../columns/EntityRow.ts"
import * as FullText from "./FullText.ts"
import { InvalidPagination } from "../../Pagination.ts"
import * as Restrictions from "./Restrictions.ts"
import type { Selection } from "../../Selection.ts"
import type { Leaf } from "./SelectionParts.ts"
import { partsOf } from "./SelectionState.ts"

/** Characters of a pattern: SQLite fails on one of more than 50,000 bytes. */
export const maxPatternLength = 10_000

/** Values of all filters together: SQLite takes 32,766 with those of the position and the size, PostgreSQL twice as many. */
export const maxValues = 30_000

/** How many conditions may be inside each other. */
export const maxDepth = 10

/** Conditions of a list, those inside others included: SQLite fails on an expression that is 1,000 deep. */
export const maxConditions = 500

/**
 * Why a list cannot be filtered like this: a value of the right type that the column cannot hold, such as NaN, a UUID
 * that is malformed or a text with U+0000. Clients send such values, and some of them fail in the database.
 */
export const refusal = <C extends Column.Columns>(
  dialect: Dialect,
  selection: Selection<C>
): InvalidPagination | undefined => {
  const { restrictions } = partsOf(selection)
  if (restrictions.length === 0) return undefined
  // First, since the tree is read by functions that call themselves.
  if (Restrictions.depth(restrictions) > maxDepth) return bounded(`are more than ${maxDepth} conditions deep`)
  if (Restrictions.count(restrictions) > maxConditions) return bounded(`are more than ${maxConditions} conditions`)
  if (Restrictions.places(restrictions) > maxValues) return bounded(`hold more than ${maxValues} values`)
  let refusal: InvalidPagination | undefined
  Restrictions.visit(selection.entity, restrictions, (entity, leaf) => {
    refusal ??=
      leaf._tag === "Search"
        ? searchRefusal(dialect, entity, leaf.text)
        : refusalOf(dialect, columnOf(entity, leaf.column), leaf)
  })
  return refusal
}

const searchRefusal = (dialect: Dialect, entity: EntityRow.Any, text: string): InvalidPagination | undefined => {
  if (!FullText.isServed(dialect, entity)) {
    return new InvalidPagination({ reason: "SQLite searches only tables whose key is one integer." })
  }
  return text.length > FullText.maxLength
    ? new InvalidPagination({ reason: `The search has more than ${FullText.maxLength} characters.` })
    : undefined
}

const refusalOf = (
  dialect: Dialect,
  column: Column.Column,
  leaf: Exclude<Leaf, { readonly _tag: "Search" }>
): InvalidPagination | undefined => {
  const given = leaf._tag === "Match" ? [leaf.pattern] : leaf.values
  if (!given.every((value) => holds(dialect, column, value))) return refused(leaf.column, "a value that it cannot hold")
  return leaf._tag === "Match" && leaf.pattern.length > maxPatternLength
    ? refused(leaf.column, `a pattern of more than ${maxPatternLength} characters`)
    : undefined
}

const holds = (dialect: Dialect, column: Column.Column, value: ColumnKind.Scalar): boolean => {
  const coerced = coerce(column, value)
  if (coerced === undefined || Number.isNaN(coerced)) return false
  // One that is finer than the column is compared with the values around it.
  return column.kind === "decimal" || dialect.holds(coerced, column)
}

const bounded = (what: string): InvalidPagination => new InvalidPagination({ reason: `The filters ${what}.` })

const refused = (column: string, what: string): InvalidPagination =>
  new InvalidPagination({ reason: `The filter on "${column}" was given ${what}.` })

// Rows strictly after a position, written so that the database searches an index and reads only what it returns.
import type { Kind } from "../columns/ColumnKind.ts"
import type { Dialect } from "./Dialect.ts"
import type { Direction } from "../../Selection.ts"
import type { Nulls } from "./SelectionParts.ts"

/** One comparison of row values, or one branch for each column that may differ first. Never a chain of ORs. */
export type Form = "row" | "split"

/** A row value has one direction for all its columns. */
export const choose = (dialect: Dialect, directions: ReadonlyArray<Direction>, last: Kind): Form => {
  if (directions.length < 2) return "row"
  if (new Set(directions).size > 1) return "split"
  return dialect.seeksIntegerKeys || (last !== "integer" && last !== "bigint") ? "row" : "split"
}

/** A column of the position with the place of its value. */
export interface Step {
  readonly column: string
  readonly direction: Direction
  /** Where its nulls come; `undefined` when it has none. */
  readonly nulls: Nulls | undefined
  /** Whether the position holds null here. */
  readonly isNull: boolean
  /** Whether the index of this order holds `column IS NULL` before the column. */
  readonly isRanked: boolean
  /** Whether a branch whose rows tie in this column is ordered by it all the same. */
  readonly isOrdered: boolean
  /** A new placeholder for each call. */
  readonly place: () => string
}

const after = (direction: Direction): string => (direction === "Asc" ? ">" : "<")

/**
 * One comparison of row values.
 *
 * => ("t"."a", "t"."id") > (?, ?)
 */
export const row = (steps: ReadonlyArray<Step>): string => {
  const [first, ...rest] = steps
  if (first === undefined) return ""
  if (rest.length === 0) return `${first.column} ${after(first.direction)} ${first.place()}`
  const columns = steps.map((step) => step.column).join(", ")
  return `(${columns}) ${after(first.direction)} (${steps.map((step) => step.place()).join(", ")})`
}

/** Rows that tie in the first columns, and hold a later value, a null or any value in the next one. */
export interface Branch {
  readonly ties: number
  /** `row` is a later row value in all columns after the ties. */
  readonly next: "later" | "null" | "value" | "row"
}

/** The branches in the order in which their rows come: those that tie in all columns but the last, then fewer ties. */
export const branches = (steps: ReadonlyArray<Step>): ReadonlyArray<Branch> =>
  steps
    .flatMap(({ isNull, nulls }, ties): ReadonlyArray<Branch> => {
      if (isNull) return nulls === "First" ? [{ ties, next: "value" }] : []
      const later: Branch = { ties, next: "later" }
      // The order is reversed below.
      return nulls === "Last" ? [{ ties, next: "null" }, later] : [later]
    })
    .reverse()

/** The same with one comparison of row values for the last columns, as far as they have one direction and hold no null. */
export const joined = (steps: ReadonlyArray<Step>): ReadonlyArray<Branch> => {
  const direction = steps.at(-1)?.direction
  const start = steps.findLastIndex((step) => step.direction !== direction || step.isNull) + 1
  const all = branches(steps)
  if (start + 1 >= steps.length) return all
  // A row value is neither later nor earlier where one of its columns is null: nulls keep branches of their own.
  return all.flatMap((branch): ReadonlyArray<Branch> => {
    if (branch.next !== "later" || branch.ties < start) return [branch]
    return branch.ties === start ? [{ ties: start, next: "row" }] : []
  })
}

/**
 * The condition of a branch.
 *
 * => "t"."a" = ? AND "t"."id" > ?
 * => "t"."a" = ANY (ARRAY[$1]) AND ("t"."b", "t"."id") > ($2, $3)
 * => "t"."a" < ?
 * => "t"."a" IS NULL
 */
export const branch = (steps: ReadonlyArray<Step>, { next, ties }: Branch): string =>
  steps
    .slice(0, ties + 1)
    .map((step, index) => {
      if (index < ties) return step.isNull ? isNull(step) : isValue(step, equals(step))
      if (next === "row") return row(steps.slice(ties))
      if (next === "null") return isNull(step)
      return isValue(step, next === "value" ? "IS NOT NULL" : `${after(step.direction)} ${step.place()}`)
    })
    .join(" AND ")

// PostgreSQL does not know that the one element of an array is constant: it orders by the column, too, and only the index of
// the list has that order. For a constant the primary key would serve: it is read from a row to the end of the table when no
// other row ties.
const equals = ({ isOrdered, place }: Step): string => (isOrdered ? `= ANY (ARRAY[${place()}])` : `= ${place()}`)

// The first condition is for an index that holds `column IS NULL`, the second for one that does not.
const isNull = ({ column, isRanked }: Step): string =>
  isRanked ? `(${column} IS NULL) = 1 AND ${column} IS NULL` : `${column} IS NULL`

const isValue = ({ column, isRanked }: Step, comparison: string): string =>
  isRanked ? `(${column} IS NULL) = 0 AND ${column} ${comparison}` : `${column} ${comparison}`

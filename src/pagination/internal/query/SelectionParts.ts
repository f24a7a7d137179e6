// The data of a selection, as the query compiler reads it. It is not part of the public interface of a selection.
import type { Scalar } from "../columns/ColumnKind.ts"
import type * as EntityRow from "../columns/EntityRow.ts"

/** Ascending or descending. */
export type Direction = "Asc" | "Desc"

/** The position of nulls; by default the database decides. */
export type Nulls = "First" | "Last"

/** The purpose of a lock: to change the rows, or to keep others from changing them. */
export type Lock = "Update" | "Share"

/** The operators that take one value. */
export type Comparison = "equal" | "unequal" | "less" | "lessOrEqual" | "greater" | "greaterOrEqual"

/** Whether a pattern is case-sensitive (`like`) or not. */
export type Match = "like" | "insensitive"

/** Every operator of a filter. */
export type Operator = Comparison | "between" | "in" | "isNull" | "isNotNull" | "isTrue" | "isFalse"

/** A condition on one column of a row, or on its full-text index. */
export type Leaf =
  | {
      readonly _tag: "Filter"
      readonly column: string
      readonly operator: Operator
      readonly values: ReadonlyArray<Scalar>
    }
  | { readonly _tag: "Match"; readonly column: string; readonly match: Match; readonly pattern: string }
  /** Words in the full-text index of the entity. */
  | { readonly _tag: "Search"; readonly text: string }

/** The column here and the column of another table that hold the same value. */
export interface Link {
  readonly target: EntityRow.Any
  readonly here: string
  readonly there: string
  /** The others of a key of several columns, here and there. */
  readonly more?: ReadonlyArray<readonly [here: string, there: string]>
}

/** A condition that is made of others. `depth` is how many of these are inside each other. */
export type Compound =
  | { readonly _tag: "AnyOf"; readonly branches: ReadonlyArray<ReadonlyArray<Restriction>>; readonly depth: number }
  | { readonly _tag: "Not"; readonly branch: ReadonlyArray<Restriction>; readonly depth: number }
  | {
      readonly _tag: "Exists"
      readonly isNegated: boolean
      readonly link: Link
      readonly branch: ReadonlyArray<Restriction>
      readonly depth: number
    }

/** One condition on a row. */
export type Restriction = Leaf | Compound

/** One column of the order. */
export interface Order {
  readonly column: string
  readonly direction: Direction
  readonly nulls: Nulls | undefined
}

/**
 * One column of a position: rows strictly after `value` in this direction, ties decided by the next one. Only a column
 * whose order places nulls may hold null here.
 */
export interface Step {
  readonly column: string
  readonly direction: Direction
  readonly value: Scalar | null
}

/** The property of a selection that holds its data. */
export const state: unique symbol = Symbol.for("effect-framework/pagination/Selection/state")

/** The method of a selection that replaces some of its parts. */
export const update: unique symbol = Symbol.for("effect-framework/pagination/Selection/update")

/** The data of a selection. */
export interface State {
  readonly parts: Parts
  /** Two selections of one shape compile to the same SQL, whatever their values. */
  readonly shape: string
}

/** All parts of a selection. */
export interface Parts {
  readonly restrictions: ReadonlyArray<Restriction>
  readonly orders: ReadonlyArray<Order>
  readonly position: ReadonlyArray<Step>
  readonly size: number | undefined
  readonly skipped: number | undefined
  readonly locked: Lock | undefined
}

/** The part of a shape that a position adds. A null has no place in the statement. */
export const positionShape = (position: ReadonlyArray<Step>): string =>
  `s${position.map(({ column, direction, value }) => `${column}\0${direction}${value === null ? "0" : ""}\0`).join("")}`

/** The values of a position that have a place in the statement. */
export const placed = (position: ReadonlyArray<Step>): ReadonlyArray<Scalar> =>
  position.flatMap(({ value }) => (value === null ? [] : [value]))

/** The parts of a selection of all rows. */
export const noParts: Parts = {
  restrictions: [],
  orders: [],
  position: [],
  size: undefined,
  skipped: undefined,
  locked: undefined
}

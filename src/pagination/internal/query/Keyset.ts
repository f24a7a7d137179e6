// The key of a row's place in a list: its order values with the primary key last, so that no two rows share a place.
import { Either } from "effect"
import type * as Column from "../../Column.ts"
import type * as ColumnKind from "../columns/ColumnKind.ts"
import * as ColumnValue from "../columns/ColumnValue.ts"
import { InvalidCursor } from "../../Cursor.ts"
import * as CursorToken from "../columns/CursorToken.ts"
import type { Dialect } from "./Dialect.ts"
import type * as EntityRow from "../columns/EntityRow.ts"
import { columnOf } from "../columns/EntityColumns.ts"
import { InvalidPagination } from "../../Pagination.ts"
import type { Selection } from "../../Selection.ts"
import { partsOf } from "./SelectionState.ts"
import * as Restrictions from "./Restrictions.ts"
import type { Order, Restriction } from "./SelectionParts.ts"

/** The orders of a selection without redundant ones, with the rest of the primary key last. */
export const orders = <C extends Column.Columns>(selection: Selection<C>): ReadonlyArray<Order> => {
  const { entity } = selection
  const kept: Array<Order> = []
  const rest = new Set<string>(entity.keys)
  for (const order of partsOf(selection).orders) {
    if (kept.some((earlier) => earlier.column === order.column)) continue
    kept.push(order)
    rest.delete(order.column)
    if (rest.size === 0) return kept
  }
  for (const column of rest) kept.push({ column, direction: "Asc", nulls: undefined })
  return kept
}

/** The same orders from the end to the start. */
export const reverse = (orders: ReadonlyArray<Order>): ReadonlyArray<Order> =>
  orders.map(({ column, direction, nulls }) => ({
    column,
    direction: direction === "Asc" ? "Desc" : "Asc",
    nulls: nulls === undefined ? undefined : nulls === "First" ? "Last" : "First"
  }))

/** Why this order does not allow cursors: nulls need a place, which the databases choose differently, and only nulls do. */
export const refusal = <C extends Column.Columns>(selection: Selection<C>): InvalidPagination | undefined => {
  for (const { column, nulls } of partsOf(selection).orders) {
    const { nullable } = columnOf(selection.entity, column)
    if (nullable === (nulls !== undefined)) continue
    const reason = nullable
      ? `A cursor cannot order by "${column}", which may be null, unless the order places nulls first or last.`
      : `A cursor cannot place nulls ${nulls?.toLowerCase()} by "${column}", which is never null. Leave the placement out.`
    return new InvalidPagination({ reason })
  }
  return undefined
}

/** A value of a position: null only in a column whose order places nulls. */
export type Value = ColumnKind.Scalar | null

/**
 * The name of a list, which a signature covers: the same rows in another order, or under other conditions that are made
 * of several, are another list.
 */
export const list = (
  entity: EntityRow.Any,
  orders: ReadonlyArray<Order>,
  restrictions: ReadonlyArray<Restriction> = []
): string => {
  const outline = Restrictions.outline(restrictions)
  const names = orders.map(({ column, direction, nulls }) =>
    nulls === undefined ? [column, direction] : [column, direction, nulls]
  )
  return JSON.stringify([entity.table, ...names, ...(outline.length === 0 ? [] : [{ where: outline }])])
}

/** The values of a token as these columns would hold them; refuses what one of them could not. */
export const decode = (
  dialect: Dialect,
  columns: ReadonlyArray<Column.Column>,
  token: string
): Either.Either<ReadonlyArray<Value>, InvalidCursor> => {
  const values = CursorToken.decode(token, columns.length, columns.map(isNullable))
  return Either.isLeft(values) ? Either.left(new InvalidCursor(values.left)) : coerce(dialect, columns, values.right)
}

const isNullable = (column: Column.Column): boolean => column.nullable

/** A cursor's values as these columns would hold them; refuses what one of them could not. */
export const coerce = (
  dialect: Dialect,
  columns: ReadonlyArray<Column.Column>,
  values: ReadonlyArray<Value>
): Either.Either<ReadonlyArray<Value>, InvalidCursor> => {
  const coerced: Array<Value> = []
  for (const [index, column] of columns.entries()) {
    const given = values[index]
    const value = given === undefined ? undefined : coerceOne(column, given)
    if (value === undefined || (value !== null && !dialect.holds(value, column))) {
      return Either.left(new InvalidCursor({ problem: "value", detail: `value ${index + 1}` }))
    }
    coerced.push(value)
  }
  return Either.right(coerced)
}

const coerceOne = (column: Column.Column, value: Value): Value | undefined => {
  if (value === null) return column.nullable ? null : undefined
  return ColumnValue.coerce(column, value)
}

/** The token of a row: its values in these orders. They were read as values of their columns, so there is always one. */
export const token = (
  orders: ReadonlyArray<Order>,
  columns: ReadonlyArray<Column.Column>,
  row: Readonly<Record<string, unknown>>
): string => {
  const values = orders.map(({ column }) => ColumnValue.toCursor(row[column]))
  return Either.getOrThrow(CursorToken.encode(values, columns.map(isNullable)))
}

/** The values of a row in these orders. A loop: it runs for every row that a cursor reads. */
export const valuesOf = (
  orders: ReadonlyArray<Order>,
  row: Readonly<Record<string, unknown>>
): ReadonlyArray<Value> => {
  const values: Array<Value> = []
  for (const { column } of orders) {
    const value = row[column]
    if (value === null || ColumnValue.isScalar(value)) values.push(value)
  }
  return values
}

// A moment as the database writes it, whose text orders like its time.
const isCanonical = (value: ColumnKind.Scalar): boolean => typeof value === "string" && /^\d{4}-.{22}Z$/.test(value)

const isEqual = (left: Value, right: Value): boolean => left === right || (Number.isNaN(left) && Number.isNaN(right))

// Whether the order is known here; texts are ordered by the rules of a collation, which only the database knows.
const isComparable = ({ kind }: Column.Column, left: ColumnKind.Scalar, right: ColumnKind.Scalar): boolean => {
  if (kind === "timestamp") return isCanonical(left) && isCanonical(right)
  return comparable.has(kind) && !Number.isNaN(left) && !Number.isNaN(right)
}

const comparable = new Set<ColumnKind.Kind>(["integer", "bigint", "float", "boolean"])

/** Whether a place comes strictly after another one, as far as that can be told without the database. */
export const isAfter = (
  orders: ReadonlyArray<Order>,
  columns: ReadonlyArray<Column.Column>,
  earlier: ReadonlyArray<Value>,
  later: ReadonlyArray<Value>
): boolean => {
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index]
    const left = earlier[index]
    const right = later[index]
    if (column === undefined || left === undefined || right === undefined) return false
    if (isEqual(left, right)) continue
    if (left === null || right === null) return (right === null) === (orders[index]?.nulls === "Last")
    if (!isComparable(column, left, right)) return true
    return orders[index]?.direction === "Desc" ? right < left : right > left
  }
  return false
}

// The clauses of a query, written from left to right: each placeholder is counted where it is written.
import type { Columns } from "../../Column.ts"
import { type Dialect, quote } from "./Dialect.ts"
import { restrictions } from "./Condition.ts"
import type { Any } from "../columns/EntityRow.ts"
import { columnOf } from "../columns/EntityColumns.ts"
import { places } from "./Restrictions.ts"
import { textOf } from "../relations/RelatedColumn.ts"
import type * as Seek from "./Seek.ts"
import type { Selection } from "../../Selection.ts"
import { partsOf } from "./SelectionState.ts"
import { qualified, type Writer } from "./Writer.ts"
import { type Order, type Parts, placed } from "./SelectionParts.ts"

/** The selected expressions: every column with its full precision, under its own name. */
export const reads = (dialect: Dialect, entity: Any, source: string): ReadonlyArray<string> =>
  entity.names.map((name) => {
    const column = source === entity.table ? textOf(dialect, entity, source, name) : qualified(source, name)
    const expression = dialect.read(columnOf(entity, name).kind, column)
    return expression === qualified(source, name) ? column : `${expression} AS ${quote(name)}`
  })

/** All conditions on a row: the restrictions, then the position. */
export const conditions = <C extends Columns>(
  writer: Writer,
  selection: Selection<C>,
  seek: (steps: ReadonlyArray<Seek.Step>) => string
): ReadonlyArray<string> => {
  const all = restrictions(writer, selection)
  return partsOf(selection).position.length === 0 ? all : [...all, seek(steps(writer, selection))]
}

/** The columns of the position. Their nulls come where the order places them. */
export const steps = <C extends Columns>(writer: Writer, selection: Selection<C>): ReadonlyArray<Seek.Step> => {
  const { entity } = selection
  const { position, restrictions } = partsOf(selection)
  const orders = terms(writer.dialect, selection)
  let next = places(restrictions)
  return position.map(({ column, direction, value }, place) => {
    const { kind, nullable } = columnOf(entity, column)
    const order = nullable ? orders.find((term) => term.column === column) : undefined
    const index = value === null ? next : next++
    return {
      column: textOf(writer.dialect, entity, entity.table, column),
      direction,
      nulls: order?.nulls,
      isNull: value === null,
      isRanked: order?.isRanked ?? false,
      isOrdered: isOrdered(writer.dialect, selection, place),
      place: () => writer.place(index, kind)
    }
  })
}

/**
 * Whether a branch whose rows tie in this column of the position is ordered by it, too. Before its version 17 PostgreSQL
 * searches by an element of an array and keeps the order in the first column of an index alone, which is that of the position
 * unless there are filters.
 */
export const isOrdered = <C extends Columns>(dialect: Dialect, selection: Selection<C>, place: number): boolean => {
  const { position, restrictions } = partsOf(selection)
  const step = position[place]
  if (!dialect.placesNulls || step === undefined) return false
  if (step.value === null) return true
  return place === 0 && restrictions.length === 0 && columnOf(selection.entity, step.column).related === undefined
}

/** Which of the selection's values is the number of rows: restrictions and position come before it. */
export const sizeSlot = ({ position, restrictions }: Parts): number => places(restrictions) + placed(position).length

/** How many rows, after how many others. */
export const size = <C extends Columns>(writer: Writer, selection: Selection<C>): string => {
  const parts = partsOf(selection)
  if (parts.size === undefined && parts.skipped === undefined) return ""
  const next = sizeSlot(parts)
  // SQLite accepts OFFSET only after LIMIT.
  const unlimited = writer.dialect.name === "sqlite" ? " LIMIT -1" : ""
  const limit = parts.size === undefined ? unlimited : ` LIMIT ${writer.bound ?? writer.place(next, "integer")}`
  if (parts.skipped === undefined) return limit
  return `${limit} OFFSET ${writer.place(next + (parts.size === undefined ? 0 : 1), "integer")}`
}

/** The locking clause, or an empty text. */
export const lock = (dialect: Dialect, { locked }: Parts): string => (locked === undefined ? "" : dialect.lock(locked))

/** The conditions as a `WHERE`, or an empty text. */
export const where = (conditions: ReadonlyArray<string>): string =>
  conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`

/** One column of an `ORDER BY`. */
export interface Term extends Order {
  /** Whether it is ordered by `column IS NULL` first: the only way in which an index can hold this order. */
  readonly isRanked: boolean
  /** How a column of a related row is read from the table; `undefined` for a column of its own. */
  readonly related: string | undefined
}

/** The columns of the `ORDER BY`. SQLite walks an index twice to place the nulls of the first column, and only of that. */
export const terms = <C extends Columns>(
  dialect: Dialect,
  selection: Selection<C>,
  source: string = selection.entity.table
): ReadonlyArray<Term> =>
  partsOf(selection).orders.map(({ column, direction, nulls }, index) => {
    const isOtherSide = nulls === (direction === "Asc" ? "Last" : "First")
    const { entity } = selection
    const { nullable, related } = columnOf(entity, column)
    const text = related === undefined ? undefined : textOf(dialect, entity, source, column)
    return {
      column,
      direction,
      nulls,
      related: text,
      isRanked: !dialect.placesNulls && isOtherSide && nullable && index > 0
    }
  })

/** The `ORDER BY` over columns of this source, or an empty text. */
export const ordered = (source: string, terms: ReadonlyArray<Term>): string => {
  const texts = terms.map(({ column, direction, isRanked, nulls, related }) => {
    const name = related ?? qualified(source, column)
    // => "t"."a" IS NULL ASC, "t"."a" ASC
    if (isRanked) return `${name} IS NULL ${nulls === "Last" ? "ASC" : "DESC"}, ${name} ${direction.toUpperCase()}`
    return `${name} ${direction.toUpperCase()}${nulls === undefined ? "" : ` NULLS ${nulls.toUpperCase()}`}`
  })
  return texts.length === 0 ? "" : ` ORDER BY ${texts.join(", ")}`
}

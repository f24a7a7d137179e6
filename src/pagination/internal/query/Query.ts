// A selection as parameterised SQL. The text contains only names of the entity; values are always parameters.
import * as Clause from "./Clause.ts"
import { conditions, lock, ordered, reads, size, where } from "./Clause.ts"
import type { Columns } from "../../Column.ts"
import type { Bound } from "../columns/ColumnValue.ts"
import { restrictions } from "./Condition.ts"
import { type Dialect, quote, quoteTable } from "./Dialect.ts"
import { columnOf } from "../columns/EntityColumns.ts"
import * as FullText from "./FullText.ts"
import { textOf } from "../relations/RelatedColumn.ts"
import { places, visit } from "./Restrictions.ts"
import * as Seek from "./Seek.ts"
import type { Selection } from "../../Selection.ts"
import type { Operator } from "./SelectionParts.ts"
import { partsOf } from "./SelectionState.ts"
import { qualified, type Query, Writer } from "./Writer.ts"

export type { Query } from "./Writer.ts"

/** The values of the restrictions, which come first of all. */
export const restricted = <C extends Columns>(dialect: Dialect, selection: Selection<C>): Array<unknown> => {
  const all: Array<unknown> = []
  visit(selection.entity, partsOf(selection).restrictions, (entity, leaf) => {
    if (leaf._tag === "Match") all.push(dialect.pattern(leaf.match, leaf.pattern))
    else if (leaf._tag === "Search") all.push(FullText.operand(dialect, leaf.text))
    else {
      const column = columnOf(entity, leaf.column)
      for (const [index, value] of leaf.values.entries()) {
        all.push(dialect.write(value, column, boundOf(leaf.operator, index)))
      }
    }
  })
  return all
}

const bounds: Partial<Record<Operator, Bound>> = {
  less: "above",
  lessOrEqual: "below",
  greater: "below",
  greaterOrEqual: "above"
}

const boundOf = (operator: Operator, index: number): Bound =>
  operator === "between" ? (index === 0 ? "above" : "below") : (bounds[operator] ?? "none")

/** All values of a selection in the order that `slots` counts: restrictions, position, limit, offset. */
export const values = <C extends Columns>(dialect: Dialect, selection: Selection<C>): ReadonlyArray<unknown> => {
  const all = restricted(dialect, selection)
  const { position, size, skipped } = partsOf(selection)
  for (const { column, value } of position) {
    if (value !== null) all.push(dialect.write(value, columnOf(selection.entity, column)))
  }
  if (size !== undefined) all.push(size)
  if (skipped !== undefined) all.push(skipped)
  return all
}

/**
 * The values that a query of this selection's shape is run with. Throws when there are more or fewer than the text has
 * places, or when one is missing: the next value would take its place, and a client's `limit` could choose the tenant.
 */
export const bind = (query: Query, values: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  let needed = 0
  const bound = query.slots.map((slot) => {
    if (slot >= needed) needed = slot + 1
    const value = values[slot]
    if (value === undefined) throw new TypeError(`the statement was not run: its value ${slot + 1} is missing`)
    return value
  })
  if (needed === values.length) return bound
  throw new TypeError(`the statement was not run: it takes ${needed} values and was given ${values.length}`)
}

/** The rows. */
export const select = <C extends Columns>(dialect: Dialect, selection: Selection<C>, form?: Seek.Form): Query => {
  const writer = new Writer(dialect)
  return writer.end(rows(writer, selection, { form, withOrders: false }))
}

interface Options {
  /** How the position is compared; the best way by default. */
  readonly form?: Seek.Form | undefined
  /** Whether the columns of the order are selected as themselves, too, so that a query around this one can sort by them. */
  readonly withOrders: boolean
}

/** The text of the rows as a part of a statement. */
export const rows = <C extends Columns>(
  writer: Writer,
  selection: Selection<C>,
  { form, withOrders }: Options
): string => {
  const { dialect } = writer
  const { entity } = selection
  const parts = partsOf(selection)
  const steps = Clause.steps(writer, selection)
  const terms = Clause.terms(dialect, selection)
  const directions = steps.map((step) => step.direction)
  const last = columnOf(entity, parts.position.at(-1)?.column ?? entity.key).kind
  const splits = steps.length > 1 && (form ?? Seek.choose(dialect, directions, last)) === "split"
  // No row value compares with null.
  if (splits || steps.some((step) => step.nulls !== undefined)) {
    // An index over `column IS NULL` or over a column of a relation gives neither an order to merge by nor row values.
    const isPlain = !terms.some((term) => term.isRanked || term.related !== undefined)
    // Fewer branches are planned sooner, and so are those without a query around them.
    const branches = isPlain && form === undefined ? Seek.joined(steps) : Seek.branches(steps)
    if (dialect.mergesBranches && isPlain) return merged(writer, selection, steps)
    const isUnion = dialect.name === "pg" && parts.locked === undefined && parts.skipped === undefined
    // A place takes its type from a column that it is compared with, before it is an element of an array.
    const typed = dialect.numbered ? branches.toReversed() : branches
    return (isUnion ? united : branched)(writer, selection, typed, withOrders)
  }
  const found = `${rowsOf(dialect, selection, withOrders)}${where(conditions(writer, selection, Seek.row))}`
  return `${found}${ordered(entity.table, terms)}${size(writer, selection)}${lock(dialect, parts)}`
}

// => SELECT "t"."a", "t"."id" FROM "t"
const rowsOf = <C extends Columns>(dialect: Dialect, selection: Selection<C>, withOrders: boolean): string => {
  const { entity } = selection
  const columns = withOrders ? ordering(dialect, selection, entity.table) : reads(dialect, entity, entity.table)
  return `SELECT ${columns.join(", ")} FROM ${quoteTable(entity.table)}`
}

// A query is ordered by what the one inside it selects: what is read as something else is selected as itself, too.
const ordering = <C extends Columns>(
  dialect: Dialect,
  selection: Selection<C>,
  source: string
): ReadonlyArray<string> => {
  const { entity } = selection
  const itself = (column: string) =>
    source === entity.table ? textOf(dialect, entity, source, column) : qualified(source, column)
  const others = extraOrders(dialect, selection).map(
    (column) => `${itself(column)} AS ${quote(orderName(selection, column))}`
  )
  return [...reads(dialect, entity, source), ...others]
}

const orderName = <C extends Columns>({ entity }: Selection<C>, column: string): string => {
  const names: ReadonlyArray<string> = entity.names
  let name = `order_${column}`
  while (names.includes(name)) name += "_"
  return name
}

const isReadAsItself = <C extends Columns>(dialect: Dialect, { entity }: Selection<C>, column: string): boolean => {
  const names: ReadonlyArray<string> = entity.names
  const itself = quote(column)
  return names.includes(column) && dialect.read(columnOf(entity, column).kind, itself) === itself
}

const extraOrders = <C extends Columns>(dialect: Dialect, selection: Selection<C>): ReadonlyArray<string> =>
  partsOf(selection)
    .orders.map(({ column }) => column)
    .filter((column) => !isReadAsItself(dialect, selection, column))

/** The `ORDER BY` of a query around rows that were selected with their orders, which have this name in it. */
export const orderAround = <C extends Columns>(dialect: Dialect, selection: Selection<C>, source: string): string =>
  ordered(
    source,
    Clause.terms(dialect, selection).map((term) => selected(term, ordersBy(dialect, selection, term.column)))
  )

// The name that a column of the order has as itself, among the columns of rows that were selected with their orders.
const ordersBy = <C extends Columns>(dialect: Dialect, selection: Selection<C>, column: string): string =>
  isReadAsItself(dialect, selection, column) ? column : orderName(selection, column)

// => SELECT … WHERE a = ? AND id > ? UNION ALL SELECT … WHERE a < ? ORDER BY a DESC, id ASC LIMIT ?
const merged = <C extends Columns>(
  writer: Writer,
  selection: Selection<C>,
  steps: ReadonlyArray<Seek.Step>
): string => {
  const { entity } = selection
  const rows = rowsOf(writer.dialect, selection, true)
  const branches = Seek.branches(steps).map(
    (branch) => `${rows}${where(conditions(writer, selection, (steps) => Seek.branch(steps, branch)))}`
  )
  const order = ordered(entity.table, Clause.terms(writer.dialect, selection))
  return `${branches.join(" UNION ALL ")}${order}${size(writer, selection)}`
}

// The conditions, the order and the size of one branch.
const ends = <C extends Columns>(writer: Writer, selection: Selection<C>, branch: Seek.Branch): string => {
  const { dialect } = writer
  const { entity } = selection
  const parts = partsOf(selection)
  // What ties is constant in this branch and need not be sorted by.
  const isTied = (_: unknown, place: number) => !Clause.isOrdered(dialect, selection, place)
  const tied = new Set(
    parts.position
      .slice(0, branch.ties)
      .filter(isTied)
      .map(({ column }) => column)
  )
  const next = parts.position[branch.ties]?.column
  const orders = Clause.terms(dialect, selection)
    .filter((order) => !tied.has(order.column))
    .map((order) => (order.column === next ? unranked(order) : order))
  const filter = where(conditions(writer, selection, (steps) => Seek.branch(steps, branch)))
  const limit = parts.skipped === undefined ? size(writer, selection) : ""
  return `${filter}${ordered(entity.table, orders)}${limit}`
}

type Unite = <C extends Columns>(
  writer: Writer,
  selection: Selection<C>,
  all: ReadonlyArray<Seek.Branch>,
  withOrders: boolean
) => string

// => (SELECT a, id … WHERE a = $1 AND id > $2 ORDER BY id ASC LIMIT $3)
//    UNION ALL (SELECT a, id … WHERE a < $1 ORDER BY a DESC, id ASC LIMIT $3) ORDER BY 1 DESC, 2 ASC LIMIT $3
const united: Unite = (writer, selection, all, withOrders) => {
  const { dialect } = writer
  const { entity } = selection
  const [only, ...others] = all
  // Whatever differs, it differs first in one column: the branch is the whole list.
  if (only !== undefined && others.length === 0) {
    return rowsOf(dialect, selection, withOrders) + ends(writer, selection, only)
  }
  const rows = rowsOf(dialect, selection, true)
  const places = [...entity.names, ...extraOrders(dialect, selection).map((column) => orderName(selection, column))]
  const orders = Clause.terms(dialect, selection).map(({ column, direction, nulls }) => {
    const place = places.indexOf(ordersBy(dialect, selection, column)) + 1
    return `${place} ${direction.toUpperCase()}${nulls === undefined ? "" : ` NULLS ${nulls.toUpperCase()}`}`
  })
  const branches = all.map((branch) => `(${rows}${ends(writer, selection, branch)})`)
  return `${branches.join(" UNION ALL ")} ORDER BY ${orders.join(", ")}${size(writer, selection)}`
}

// => SELECT … FROM (SELECT * FROM (… WHERE a = $1 AND id > $2 ORDER BY id ASC LIMIT $3) AS "branch_1"
//    UNION ALL SELECT * FROM (… WHERE a < $1 ORDER BY a DESC, id ASC LIMIT $3) AS "branch_0") AS "page" ORDER BY … LIMIT $3
const branched: Unite = (writer, selection, all, withOrders) => {
  const { dialect } = writer
  const { entity } = selection
  const parts = partsOf(selection)
  const terms = Clause.terms(dialect, selection)
  const columns = entity.names
    .map((name) => {
      const { related } = columnOf(entity, name)
      const text = textOf(dialect, entity, entity.table, name)
      return related === undefined ? text : `${text} AS ${quote(name)}`
    })
    .join(", ")
  const branches = all.map((branch) => {
    const name = branch.next === "null" ? `branch_${branch.ties}_null` : `branch_${branch.ties}`
    const rows = `SELECT ${columns} FROM ${quoteTable(entity.table)}${ends(writer, selection, branch)}`
    return `SELECT * FROM (${rows}${lock(dialect, parts)}) AS ${quote(name)}`
  })
  const read = withOrders ? ordering(dialect, selection, "page") : reads(dialect, entity, "page")
  const rows = `SELECT ${read.join(", ")} FROM (${branches.join(" UNION ALL ")}) AS "page"`
  // The branches have selected what is read from a related row.
  return `${rows}${ordered(
    "page",
    terms.map((term) => selected(term, term.column))
  )}${size(writer, selection)}`
}

/**
 * How many rows there are, counted up to a limit, which is the last value.
 *
 * => SELECT COUNT(*) AS total FROM (SELECT 1 FROM "articles" WHERE … LIMIT ?) AS "counted"
 */
export const countUpTo = <C extends Columns>(dialect: Dialect, selection: Selection<C>): Query => {
  const writer = new Writer(dialect)
  const { restrictions: all } = partsOf(selection)
  const rows = `SELECT 1 FROM ${quoteTable(selection.entity.table)}${where(restrictions(writer, selection))}`
  const limit = writer.place(places(all), "integer")
  return writer.end(`SELECT COUNT(*) AS total FROM (${rows} LIMIT ${limit}) AS "counted"`)
}

/** The plan of PostgreSQL, which says how many rows it expects. */
export const estimate = <C extends Columns>(dialect: Dialect, selection: Selection<C>): Query => {
  const writer = new Writer(dialect)
  const rows = `SELECT 1 FROM ${quoteTable(selection.entity.table)}${where(restrictions(writer, selection))}`
  return writer.end(`EXPLAIN (FORMAT JSON) ${rows}`)
}

const unranked = ({ column, direction, nulls, related }: Clause.Term): Clause.Term => ({
  column,
  direction,
  nulls,
  related,
  isRanked: false
})

const selected = ({ direction, isRanked, nulls }: Clause.Term, column: string): Clause.Term => ({
  column,
  direction,
  nulls,
  isRanked,
  related: undefined
})

/** How many rows there are: order, position, size and lock play no part. */
export const count = <C extends Columns>(dialect: Dialect, selection: Selection<C>): Query => {
  const writer = new Writer(dialect)
  return writer.end(
    `SELECT COUNT(*) AS total FROM ${quoteTable(selection.entity.table)}${where(restrictions(writer, selection))}`
  )
}

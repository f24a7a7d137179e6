// A selection as parameterised SQL. Only names of the entity stand in the text; values are always parameters.
import type { Columns, Kind } from "./Column.ts"
import { type Dialect, quote } from "./Dialect.ts"
import { columnOf } from "./Entity.ts"
import * as Seek from "./Seek.ts"
import type { Comparison, Operator, Order, Restriction, Selection } from "./Selection.ts"

/** The text of a shape, and which of the selection's values each of its places takes. */
export interface Query {
  readonly text: string
  readonly slots: ReadonlyArray<number>
}

const symbols: Readonly<Record<Comparison, string>> = {
  equal: "=",
  unequal: "<>",
  less: "<",
  lessOrEqual: "<=",
  greater: ">",
  greaterOrEqual: ">="
}

const words: Partial<Record<Operator, string>> = {
  isNull: "IS NULL",
  isNotNull: "IS NOT NULL",
  isTrue: "IS TRUE",
  isFalse: "IS FALSE"
}

/** All values of a selection in the order that `slots` counts: restrictions, position, limit, offset. */
export const values = <C extends Columns>(dialect: Dialect, selection: Selection<C>): ReadonlyArray<unknown> => {
  const all: Array<unknown> = []
  for (const restriction of selection.parts.restrictions) {
    if (restriction._tag === "Match") all.push(dialect.pattern(restriction.match, restriction.pattern))
    else for (const value of restriction.values) all.push(dialect.write(value))
  }
  const { position, size, skipped } = selection.parts
  for (const step of position) all.push(dialect.write(step.value))
  if (size !== undefined) all.push(size)
  if (skipped !== undefined) all.push(skipped)
  return all
}

const placesOf = (restriction: Restriction): number => (restriction._tag === "Match" ? 1 : restriction.values.length)

/** The values that a query of this selection's shape is run with. */
export const bind = (query: Query, values: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  query.slots.map((slot) => values[slot])

/** The rows. */
export const select = <C extends Columns>(dialect: Dialect, selection: Selection<C>, form?: Seek.Form): Query => {
  const { entity, parts } = selection
  const writer = new Writer(dialect)
  const kindOf = (name: string): Kind => columnOf(entity, name).kind
  const start = parts.restrictions.reduce((sum, restriction) => sum + placesOf(restriction), 0)
  const last = start + parts.position.length
  const steps = parts.position.map((step, index) => ({
    column: qualified(entity.table, step.column),
    direction: step.direction,
    place: () => writer.place(start + index, kindOf(step.column))
  }))
  const limit = () => (parts.size === undefined ? "" : ` LIMIT ${writer.place(last, "integer")}`)
  const offset = () => {
    if (parts.skipped === undefined) return ""
    // SQLite knows OFFSET only after LIMIT.
    const unlimited = parts.size === undefined && dialect.name === "sqlite" ? " LIMIT -1" : ""
    return `${unlimited} OFFSET ${writer.place(last + (parts.size === undefined ? 0 : 1), "integer")}`
  }
  const lock = parts.locked === undefined ? "" : dialect.lock(parts.locked)
  const reads = (source: string) =>
    entity.names.map((name) => {
      const column = qualified(source, name)
      const expression = dialect.read(kindOf(name), column)
      return expression === column ? column : `${expression} AS ${quote(name)}`
    })
  // Places are counted as they are written, so the restrictions come first.
  const where = (seek: () => string) => {
    const all = restrictions(writer, selection)
    return clause(parts.position.length === 0 ? all : [...all, seek()])
  }
  const directions = parts.position.map((step) => step.direction)
  const chosen = form ?? Seek.choose(dialect, directions, kindOf(parts.position.at(-1)?.column ?? entity.key))
  if (parts.position.length < 2 || chosen === "row") {
    const from = `SELECT ${reads(entity.table).join(", ")} FROM ${quote(entity.table)}${where(() => Seek.row(steps))}`
    return writer.end(`${from}${ordered(entity.table, parts.orders)}${limit()}${offset()}${lock}`)
  }
  const columns = entity.names.map((name) => qualified(entity.table, name)).join(", ")
  const branches = steps.map((_, index) => {
    const ties = steps.length - 1 - index
    // What ties is constant in this branch and need not be sorted by.
    const tied = new Set(parts.position.slice(0, ties).map((step) => step.column))
    const orders = parts.orders.filter((order) => !tied.has(order.column))
    const from = `SELECT ${columns} FROM ${quote(entity.table)}${where(() => Seek.branch(steps, ties))}`
    const size = parts.skipped === undefined ? limit() : ""
    return `SELECT * FROM (${from}${ordered(entity.table, orders)}${size}${lock}) AS ${quote(`branch_${ties}`)}`
  })
  const from = `SELECT ${reads("page").join(", ")} FROM (${branches.join(" UNION ALL ")}) AS "page"`
  return writer.end(`${from}${ordered("page", parts.orders)}${limit()}${offset()}`)
}

/** How many rows there are: order, position, size and lock play no part. */
export const count = <C extends Columns>(dialect: Dialect, selection: Selection<C>): Query => {
  const writer = new Writer(dialect)
  const where = clause(restrictions(writer, selection))
  return writer.end(`SELECT COUNT(*) AS total FROM ${quote(selection.entity.table)}${where}`)
}

const qualified = (source: string, name: string): string => `${quote(source)}.${quote(name)}`

const clause = (conditions: ReadonlyArray<string>): string =>
  conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`

const ordered = (source: string, orders: ReadonlyArray<Order>): string => {
  const terms = orders.map(({ column, direction, nulls }) => {
    const placed = nulls === undefined ? "" : ` NULLS ${nulls.toUpperCase()}`
    return `${qualified(source, column)} ${direction.toUpperCase()}${placed}`
  })
  return terms.length === 0 ? "" : ` ORDER BY ${terms.join(", ")}`
}

const restrictions = <C extends Columns>(writer: Writer, selection: Selection<C>): Array<string> => {
  let index = 0
  return selection.parts.restrictions.map((restriction) => {
    const kind = columnOf(selection.entity, restriction.column).kind
    const column = qualified(selection.entity.table, restriction.column)
    return condition(writer.dialect, restriction, column, () => writer.place(index++, kind))
  })
}

const condition = (dialect: Dialect, restriction: Restriction, column: string, place: () => string): string => {
  if (restriction._tag === "Match") return dialect.match(restriction.match, column, place())
  const { operator, values } = restriction
  switch (operator) {
    case "between":
      return `${column} BETWEEN ${place()} AND ${place()}`
    case "in":
      // `IN ()` is no SQL everywhere; nothing is in an empty list.
      return values.length === 0 ? "1 = 0" : `${column} IN (${values.map(place).join(", ")})`
    case "isNull":
    case "isNotNull":
    case "isTrue":
    case "isFalse":
      return `${column} ${words[operator]}`
    default:
      return `${column} ${symbols[operator]} ${place()}`
  }
}

class Writer {
  readonly dialect: Dialect
  readonly #slots: Array<number> = []
  #count = 0

  constructor(dialect: Dialect) {
    this.dialect = dialect
  }

  place(index: number, kind: Kind): string {
    if (this.dialect.numbered) this.#count = Math.max(this.#count, index + 1)
    else this.#slots.push(index)
    return this.dialect.place(index, kind)
  }

  end(text: string): Query {
    return { text, slots: this.dialect.numbered ? Array.from({ length: this.#count }, (_, slot) => slot) : this.#slots }
  }
}

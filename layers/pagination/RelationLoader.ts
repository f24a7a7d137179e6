// The related rows of a page, each relation by one query for all rows.
import { Effect } from "effect"
import type { Dialect } from "../../src/pagination/Dialect.ts"
import type * as Column from "../../src/pagination/Column.ts"
import type * as ColumnKind from "../../src/pagination/ColumnKind.ts"
import * as ColumnValue from "../../src/pagination/ColumnValue.ts"
import type * as Entity from "../../src/pagination/Entity.ts"
import type * as EntityRow from "../../src/pagination/EntityRow.ts"
import { columnOf, erase } from "../../src/pagination/EntityColumns.ts"
import * as Query from "../../src/pagination/Query.ts"
import type { Relation, Relations } from "../../src/pagination/RelationItem.ts"
import * as Selection from "../../src/pagination/Selection.ts"
import * as RelationKey from "./RelationKey.ts"
import type { Rows, Statement, Statements } from "./Statements.ts"

/** A row or an item that is being built. */
export type MutableRow = Record<string, unknown>

/** Rows of an entity from lists of values in the order of its columns. */
export const reader = (dialect: Dialect, entity: EntityRow.Any): ((rows: Rows) => Array<MutableRow>) => {
  const fields = entity.names.map((name, index) => {
    const column = columnOf(entity, name)
    return { name, index, column, receive: dialect.receive(column) }
  })
  return (rows) =>
    rows.map((values) => {
      const row: MutableRow = {}
      for (const { name, index, column, receive } of fields) {
        const raw = values[index]
        const value = ColumnValue.read(column, receive === undefined ? raw : receive(raw))
        if (value === undefined) throw new TypeError(`${entity.table}.${name} does not hold a ${column.kind}`)
        row[name] = value
      }
      return row
    })
}

/** Adds its related rows to each item. */
export type Loader = (items: ReadonlyArray<MutableRow>) => Effect.Effect<void>

export const loader = <C extends Column.Columns>(
  statements: Statements,
  entity: Entity.Entity<C>,
  relations: Relations<C>
): Loader | undefined => {
  const loaders = Object.entries(relations).map(([name, relation]) => loaderOf(statements, entity, name, relation))
  const [only, ...others] = loaders
  if (only === undefined || others.length === 0) return only
  return (items) =>
    Effect.flatMap(statements.parallel, (parallel) =>
      Effect.forEach(loaders, (load) => load(items), { concurrency: parallel ? "unbounded" : 1, discard: true })
    )
}

const loaderOf = <C extends Column.Columns>(
  statements: Statements,
  entity: Entity.Entity<C>,
  name: string,
  relation: Relation<C>
): Loader => {
  const { target } = relation
  if (relation._tag === "Many" && entity.keys.length > 1) {
    throw new TypeError(`${entity.table} has a key of several columns, and ${target.table}.${relation.column} is one`)
  }
  const [here, there] = relation._tag === "One" ? [relation.column, target.key] : [entity.key, relation.column]
  const column = columnOf(target, there)
  const key = RelationKey.make(column)
  const read = reader(statements.dialect, target)
  const sizes = new Map<number, Statement>()
  // One text for each power of two, not one for each number of keys.
  const statementFor = (size: number): Statement => {
    const known = sizes.get(size)
    if (known !== undefined) return known
    const query = batch(statements, target, there, size)
    const run = statements.prepare(query.text, target.names)
    const statement: Statement = (values) => run(Query.bind(query, values))
    sizes.set(size, statement)
    return statement
  }
  return (items) => {
    const keys = new Map<string, ColumnKind.Scalar>()
    for (const item of items) {
      const value = key.seek(item[here])
      if (value !== undefined && statements.dialect.holds(value, column)) keys.set(key.of(value), value)
    }
    const give = (rows: ReadonlyArray<MutableRow>) => attach(items, name, relation, { key, keys, here, there }, rows)
    if (keys.size === 0) return Effect.sync(() => give([]))
    const values = Array.from(keys.values(), (value) => statements.dialect.write(value, column))
    while ((values.length & (values.length - 1)) !== 0) values.push(values[values.length - 1])
    return Effect.map(Effect.orDie(statementFor(values.length)(values)), (rows) => give(read(rows)))
  }
}

// => SELECT … FROM "authors" WHERE "authors"."id" IN (?, ?, ?, ?) ORDER BY "authors"."id" ASC
const batch = (statements: Statements, target: EntityRow.Any, there: string, size: number): Query.Query => {
  const example = ColumnValue.placeholder(columnOf(target, there).kind)
  const places = Array.from({ length: size }, () => example)
  const found = Selection.from(erase(target)).filter(there, "in", places)
  const selection = target.keys.reduce((list, key) => list.order("Asc", key), found)
  return Query.select(statements.dialect, selection)
}

interface Ends {
  readonly key: RelationKey.RelationKey
  readonly keys: ReadonlyMap<string, unknown>
  readonly here: string
  readonly there: string
}

const attach = <C extends Column.Columns>(
  items: ReadonlyArray<MutableRow>,
  name: string,
  relation: Relation<C>,
  { keys, here, key, there }: Ends,
  rows: ReadonlyArray<MutableRow>
): void => {
  // Items may share a related row, and requests may share a page.
  for (const row of rows) Object.freeze(row)
  const groups = RelationKey.group(key, keys, rows, there)
  for (const item of items) {
    const value = key.seek(item[here])
    const found = value === undefined ? RelationKey.noRows : groups(value)
    item[name] = relation._tag === "One" ? (found[0] ?? null) : found
  }
}

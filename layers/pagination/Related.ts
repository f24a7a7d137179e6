// What belongs to the rows of a page, each relation by one query for all of them.
import { Effect } from "effect"
import * as Column from "../../src/pagination/Column.ts"
import * as Entity from "../../src/pagination/Entity.ts"
import * as Query from "../../src/pagination/Query.ts"
import type { Relation, Relations } from "../../src/pagination/Relation.ts"
import * as Selection from "../../src/pagination/Selection.ts"
import type { Rows, Statement, Statements } from "./Statements.ts"

/** A row or an item while it is being made. */
export type Draft = Record<string, unknown>

/** Rows of an entity from lists of values in the order of its columns. */
export const reader = (entity: Entity.Any): ((rows: Rows) => Array<Draft>) => {
  const fields = entity.names.map((name, index) => ({ name, index, column: Entity.columnOf(entity, name) }))
  return (rows) =>
    rows.map((row) => {
      const draft: Draft = {}
      for (const { name, index, column } of fields) {
        const value = Column.read(column, row[index])
        if (value === undefined) throw new TypeError(`${entity.table}.${name} does not hold a ${column.kind}`)
        draft[name] = value
      }
      return draft
    })
}

/** Adds to each item what belongs to it. */
export type Loader = (items: ReadonlyArray<Draft>) => Effect.Effect<void>

export const loader = <C extends Column.Columns>(
  statements: Statements,
  entity: Entity.Entity<C>,
  relations: Relations<C>
): Loader | undefined => {
  const loaders = Object.entries(relations).map(([name, relation]) => loaderOf(statements, entity.key, name, relation))
  const [only, ...others] = loaders
  if (only === undefined || others.length === 0) return only
  return (items) =>
    Effect.flatMap(statements.parallel, (parallel) =>
      Effect.forEach(loaders, (load) => load(items), { concurrency: parallel ? "unbounded" : 1, discard: true })
    )
}

const loaderOf = <C extends Column.Columns>(
  statements: Statements,
  key: string,
  name: string,
  relation: Relation<C>
): Loader => {
  const { target } = relation
  const [here, there] = relation._tag === "One" ? [relation.column, target.key] : [key, relation.column]
  const read = reader(target)
  const sizes = new Map<number, Statement>()
  // One text for each power of two, not one for each number of keys.
  const statementFor = (size: number): Statement => {
    const known = sizes.get(size)
    if (known !== undefined) return known
    const query = batch(statements, target, there, size)
    const statement = statements.prepare(query.text, target.names)
    sizes.set(size, statement)
    return statement
  }
  return (items) => {
    const keys = distinct(items, here)
    if (keys.length === 0) return Effect.sync(() => attach(items, name, relation, here, there, []))
    while ((keys.length & (keys.length - 1)) !== 0) keys.push(keys[keys.length - 1])
    return Effect.map(statementFor(keys.length)(keys), (rows) => attach(items, name, relation, here, there, read(rows)))
  }
}

// => SELECT … FROM "authors" WHERE "authors"."id" IN (?, ?, ?, ?) ORDER BY "authors"."id" ASC
const batch = (statements: Statements, target: Entity.Any, there: string, size: number): Query.Query => {
  const places = Array.from({ length: size }, () => "")
  const selection = Selection.from(Entity.loosely(target)).filter(there, "in", places)
  return Query.select(statements.dialect, selection.order("Asc", target.key))
}

const distinct = (items: ReadonlyArray<Draft>, column: string): Array<unknown> => {
  const keys = new Set<unknown>()
  for (const item of items) if (item[column] !== null) keys.add(item[column])
  return Array.from(keys)
}

const attach = <C extends Column.Columns>(
  items: ReadonlyArray<Draft>,
  name: string,
  relation: Relation<C>,
  here: string,
  there: string,
  rows: ReadonlyArray<Draft>
): void => {
  // One row may belong to many items.
  for (const row of rows) Object.freeze(row)
  if (relation._tag === "One") {
    const found = new Map(rows.map((row) => [row[there], row]))
    for (const item of items) item[name] = found.get(item[here]) ?? null
    return
  }
  const groups = new Map(items.map((item): [unknown, Array<Draft>] => [item[here], []]))
  for (const row of rows) groups.get(row[there])?.push(row)
  for (const item of items) item[name] = groups.get(item[here])
}

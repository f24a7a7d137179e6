// The related rows of a page, each relation for all rows at once, and the relations of the related rows after them.
import { Effect } from "effect"
import type { Dialect } from "../../../src/pagination/internal/query/Dialect.ts"
import * as ColumnValue from "../../../src/pagination/internal/columns/ColumnValue.ts"
import type * as EntityRow from "../../../src/pagination/internal/columns/EntityRow.ts"
import { columnOf } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import * as Filters from "../../../src/pagination/internal/query/Filters.ts"
import { type Column, ForeignValue } from "../../../src/pagination/Column.ts"
import type { AnyRelations } from "../../../src/pagination/internal/relations/RelationItem.ts"
import * as RelationQuery from "../../../src/pagination/internal/relations/RelationQuery.ts"
import { noParts } from "../../../src/pagination/internal/query/SelectionParts.ts"
import { misdeclared } from "../../../src/pagination/internal/Misdeclared.ts"
import * as RelationBatches from "./RelationBatches.ts"
import * as RelationKey from "./RelationKey.ts"
import type { Statements } from "./Statements.ts"

/** A row or an item that is being built. */
export type MutableRow = Record<string, unknown>

/** A row of an entity from values in the order of its columns, the first of which is at `start`. */
export const rowReader = (
  dialect: Dialect,
  entity: EntityRow.Any,
  start = 0
): ((values: ReadonlyArray<unknown>) => MutableRow) => {
  const fields = entity.names.map((name, index) => {
    const column = columnOf(entity, name)
    const [receive, read] = [dialect.receive(column), ColumnValue.reader(column)]
    return {
      name,
      index: start + index,
      kind: column.kind,
      read: receive === undefined ? read : (raw: unknown) => read(receive(raw))
    }
  })
  return (values) => {
    const row: MutableRow = {}
    for (const { index, kind, name, read } of fields) {
      const value = read(values[index])
      if (value === undefined) throw new ForeignValue({ table: entity.table, column: name, kind })
      row[name] = value
    }
    return row
  }
}

/** Adds its related rows to each item. */
type Loader = (items: ReadonlyArray<MutableRow>) => Effect.Effect<void>

/** The loader of an entity's relations; `undefined` when it has none. The items have the rows of those that are joined. */
export const loader = (
  statements: Statements,
  entity: EntityRow.Any,
  relations: AnyRelations,
  joined: ReadonlySet<string> = new Set()
): Loader | undefined => {
  const loaders = Object.entries(relations).flatMap(([name, relation]) => {
    const load = joined.has(name) ? completer(statements, name, relation) : loaderOf(statements, entity, name, relation)
    return load === undefined ? [] : [load]
  })
  const [only, ...others] = loaders
  if (only === undefined || others.length === 0) return only
  return (items) =>
    Effect.flatMap(statements.parallel, (parallel) =>
      Effect.forEach(loaders, (load) => load(items), { concurrency: parallel ? "unbounded" : 1, discard: true })
    )
}

// The items have their related rows, which lack their own relations; `undefined` where these have none.
const completer = (
  statements: Statements,
  name: string,
  { relations, target }: AnyRelations[string]
): Loader | undefined => {
  const load = loader(statements, target, relations)
  if (load === undefined) return undefined
  return (items) => {
    const rows = items.map((item) => item[name]).filter(isRow)
    const freeze = () => {
      for (const row of rows) Object.freeze(row)
    }
    return rows.length === 0 ? Effect.void : Effect.map(load(rows), freeze)
  }
}

const isRow = (value: unknown): value is MutableRow => typeof value === "object" && value !== null

const loaderOf = (
  statements: Statements,
  entity: EntityRow.Any,
  name: string,
  relation: AnyRelations[string]
): Loader => {
  const { _tag, columns, target } = relation
  const [here, there] = _tag === "One" ? [columns, target.keys] : [entity.keys, columns]
  if (here.length !== there.length) {
    const given = there.join(", ")
    throw misdeclared(
      `${entity.table} has the key (${here.join(", ")}), and ${target.table} refers to it by (${given})`
    )
  }
  const [source, parts] = _tag === "One" ? [target, noParts] : [relation.source, relation.list.parts]
  const related = RelationQuery.related(source, there, parts)
  const refusal = Filters.refusal(statements.dialect, related.selection)
  if (refusal !== undefined) throw misdeclared(refusal.message)
  const columnsThere = there.map((column) => columnOf(target, column))
  const read = rowReader(statements.dialect, target)
  const fetch = RelationBatches.make(statements, related)
  const load = loader(statements, target, relation.relations)
  return (items) =>
    Effect.suspend(() => {
      const { keys, numbers } = numberedKeys(statements.dialect, items, here, columnsThere)
      const groups = keys.map((): Array<MutableRow> => [])
      const attach = () => {
        for (const rows of groups) {
          for (const row of rows) Object.freeze(row)
          Object.freeze(rows)
        }
        for (const [index, item] of items.entries()) {
          const rows = groups[numbers[index] ?? -1] ?? noRows
          item[name] = _tag === "One" ? (rows[0] ?? null) : rows
        }
      }
      if (keys.length === 0) return Effect.sync(attach)
      return Effect.flatMap(fetch(keys), (values) => {
        const rows = values.map(read)
        for (const [index, row] of rows.entries()) groups[Number(values[index]?.at(-1)) - 1]?.push(row)
        return load === undefined || rows.length === 0 ? Effect.sync(attach) : Effect.map(load(rows), attach)
      })
    })
}

// Frozen, since requests share a page.
const noRows: ReadonlyArray<never> = Object.freeze([])

// Each key once, as the driver takes it, and the number of each item's key; none for an item that refers to nothing.
const numberedKeys = (
  dialect: Dialect,
  items: ReadonlyArray<MutableRow>,
  here: ReadonlyArray<string>,
  there: ReadonlyArray<Column>
): { readonly keys: ReadonlyArray<RelationBatches.Key>; readonly numbers: ReadonlyArray<number | undefined> } => {
  const keys: Array<RelationBatches.Key> = []
  const known = new Map<string, number>()
  const numberOf = (text: string, key: RelationBatches.Key): number => {
    const found = known.get(text)
    if (found !== undefined) return found
    known.set(text, keys.length)
    return keys.push(key) - 1
  }
  const [name, column] = [here[0], there[0]]
  if (there.length === 1 && name !== undefined && column !== undefined) {
    const numbers = items.map((item) => {
      const value = RelationKey.seek(dialect, column, item[name])
      return value === undefined ? undefined : numberOf(String(value), [dialect.write(value, column)])
    })
    return { keys, numbers }
  }
  const numbers = items.map((item) => {
    const key: Array<unknown> = []
    let text = ""
    for (const [index, column] of there.entries()) {
      const value = RelationKey.seek(dialect, column, item[here[index] ?? ""])
      if (value === undefined) return undefined
      const part = String(value)
      text = `${text}${part.length}:${part}`
      key.push(dialect.write(value, column))
    }
    return numberOf(text, key)
  })
  return { keys, numbers }
}

// The relations that are read in one statement with the page itself.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { type Dialect, quoteTable } from "../../../src/pagination/internal/query/Dialect.ts"
import type * as EntityRow from "../../../src/pagination/internal/columns/EntityRow.ts"
import * as PageQuery from "../../../src/pagination/internal/query/PageQuery.ts"
import type { AnyRelations } from "../../../src/pagination/internal/relations/RelationItem.ts"
import { type MutableRow, rowReader } from "./RelationLoader.ts"
import type { Rows } from "./Statements.ts"

export interface RelationJoins {
  /** By the names of their relations, in the order in which their columns follow those of the list. */
  readonly joins: ReadonlyMap<string, PageQuery.Join>
  /** Reads rows that have the columns of this entity, then those of the joins, and attaches the related rows. */
  readonly reader: (entity: EntityRow.Any) => (rows: Rows) => Array<MutableRow>
}

export const make = (
  dialect: Dialect,
  entity: EntityRow.Any,
  relations: AnyRelations
): Effect.Effect<RelationJoins, never, SqlClient.SqlClient> => {
  const joinedIf = (isUuid: PageQuery.IsUuid) =>
    Object.entries(relations).filter(([, relation]) => PageQuery.isJoinable(dialect, entity, relation, isUuid))
  const [least, most] = [joinedIf(() => false), joinedIf(() => true)]
  // The catalogue is asked only where it decides.
  if (least.length === most.length) return Effect.succeed(joining(dialect, relations, least))
  return Effect.map(uuidColumns([entity, ...most.map(([, { target }]) => target)]), (found) =>
    joining(
      dialect,
      relations,
      joinedIf((table, column) => found.has(keyOf(table, column)))
    )
  )
}

const keyOf = (table: string, column: string): string => JSON.stringify([table, column])

// A table that is not there yet has none: its relations are then read by statements of their own.
const uuidColumns = Effect.fnUntraced(function* (entities: ReadonlyArray<EntityRow.Any>) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const found = new Set<string>()
  for (const table of new Set(entities.map(({ table }) => table))) {
    const columns = yield* Effect.orDie(
      sql<{ readonly name: string }>`SELECT a.attname AS name FROM pg_catalog.pg_attribute a
        WHERE a.attrelid = to_regclass(${quoteTable(table)}) AND a.atttypid = 'uuid'::regtype AND NOT a.attisdropped`
    )
    for (const { name } of columns) found.add(keyOf(table, name))
  }
  return found
})

const joining = (
  dialect: Dialect,
  relations: AnyRelations,
  joined: ReadonlyArray<[string, AnyRelations[string]]>
): RelationJoins => {
  const all = Object.keys(relations)
  return {
    joins: new Map(joined),
    reader: (selected) => {
      const read = rowReader(dialect, selected)
      if (joined.length === 0) return (rows) => rows.map(read)
      let start = selected.names.length
      const attached = joined.map(([name, { relations, target }]) => {
        const read = rowReader(dialect, target, start)
        // What it is related to itself is added later.
        const isWhole = Object.keys(relations).length === 0
        const related = {
          name,
          key: start + target.names.indexOf(target.key),
          read: isWhole ? (values: ReadonlyArray<unknown>) => Object.freeze(read(values)) : read
        }
        start += target.names.length
        return related
      })
      return (rows) =>
        rows.map((values) => {
          const row = read(values)
          // In the order of their declaration, also those that are loaded later.
          for (const name of all) row[name] = null
          for (const { key, name, read } of attached) if (values[key] !== null) row[name] = read(values)
          return row
        })
    }
  }
}

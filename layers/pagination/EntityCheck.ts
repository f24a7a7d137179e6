// Compares entities with the tables of the database: once at the start, before any list is read.
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import * as Catalogue from "../../src/pagination/internal/query/Catalogue.ts"
import { EntityMismatch } from "../../src/pagination/Entity.ts"
import { quote } from "../../src/pagination/internal/query/Dialect.ts"
import type * as EntityRow from "../../src/pagination/internal/columns/EntityRow.ts"
import * as ColumnCollations from "./internal/ColumnCollations.ts"
import * as SearchCheck from "./internal/SearchCheck.ts"

export type { Any } from "../../src/pagination/internal/columns/EntityRow.ts"

/**
 * Fails on the first entity whose declaration does not fit its table. `false` when a table is not there yet, such as
 * before the migrations have run.
 */
export const run = (
  ...entities: ReadonlyArray<EntityRow.Any>
): Effect.Effect<boolean, EntityMismatch, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const read = sql.onDialectOrElse({ pg: () => readPg, orElse: () => readSqlite })
    let complete = true
    for (const entity of new Set(entities)) {
      const table = yield* Effect.orDie(read(sql, entity))
      if (table === undefined) complete = false
      else if (entity.keys.length === 1) yield* compare(entity, table)
      else yield* compare(entity, { ...table, uniques: yield* Effect.orDie(readUniques(sql, entity)) })
      const problems = table === undefined ? [] : yield* Effect.orDie(SearchCheck.problems(sql, entity))
      if (problems.length > 0) return yield* new EntityMismatch({ table: entity.table, problems })
    }
    return complete
  })

/** Stops the start of a program when an entity does not fit its table, or when the table is not there. */
export const layer = (
  ...entities: ReadonlyArray<EntityRow.Any>
): Layer.Layer<never, EntityMismatch, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.forEach(
      entities,
      (entity) => Effect.flatMap(run(entity), (there) => (there ? Effect.void : compare(entity, absent))),
      { discard: true }
    )
  )

const absent: Catalogue.Table = { isView: false, columns: [] }

const compare = (entity: EntityRow.Any, table: Catalogue.Table): Effect.Effect<void, EntityMismatch> => {
  const problems = Catalogue.problems(entity, table)
  return problems.length === 0 ? Effect.void : new EntityMismatch({ table: entity.table, problems })
}

interface SqliteRow {
  readonly name: string
  readonly type: string
  readonly required: number
  readonly pk: number
  readonly preset: string | null
  /** The collations of the unique indexes over this column alone. */
  readonly uniques: string | null
  readonly kind: string
}

const readSqlite = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, entity: EntityRow.Any) {
  const rows = yield* sql<SqliteRow>`SELECT c.name, c.type, c."notnull" AS required, c.pk, c.dflt_value AS preset,
      (SELECT t.type FROM pragma_table_list(${entity.table}) t LIMIT 1) AS kind,
      (SELECT group_concat((SELECT x.coll FROM pragma_index_xinfo(l.name) x WHERE x.key = 1))
        FROM pragma_index_list(${entity.table}) l WHERE l."unique" = 1 AND l.partial = 0
        AND (SELECT group_concat(x.cid) FROM pragma_index_xinfo(l.name) x WHERE x.key = 1) = CAST(c.cid AS TEXT))
        AS uniques
    FROM pragma_table_xinfo(${entity.table}) c`
  if (rows.length === 0) return undefined
  const collations = yield* ColumnCollations.read(sql, entity)
  const isKeyAlone = rows.filter((row) => row.pk > 0).length === 1
  // SQLite knows a column whatever the case of its letters.
  const names = new Map(entity.names.map((name) => [name.toLowerCase(), name]))
  // What one collation tells apart may be equal by another, which the column is compared by.
  const isUnique = (name: string, uniques: string | null): boolean =>
    uniques !== null &&
    uniques
      .toUpperCase()
      .split(",")
      .includes(collations.get(name) ?? "BINARY")
  const columns: Array<Catalogue.Found> = []
  for (const row of rows) {
    const { pk, preset, required, type, uniques } = row
    const name = names.get(row.name.toLowerCase()) ?? row.name
    const nullable = required === 0 && (pk === 0 || (yield* hasNull(sql, entity.table, row)))
    const kinds = Catalogue.sqliteKinds(type)
    const unique = isUnique(name, uniques) || (pk > 0 && isKeyAlone && uniques === null)
    columns.push({ name, type, kinds, preset, nullable, unique })
  }
  return { isView: rows[0]?.kind !== "table", columns } satisfies Catalogue.Table
})

// A primary key of SQLite may hold nulls unless it is an integer or NOT NULL. Its index finds them.
const hasNull = (sql: SqlClient.SqlClient, table: string, { name, type }: SqliteRow) =>
  type.toUpperCase() === "INTEGER"
    ? Effect.succeed(false)
    : Effect.map(sql`SELECT 1 FROM ${sql(table)} WHERE ${sql(name)} IS NULL LIMIT 1`, (found) => found.length > 0)

// The columns of each unique index that covers all rows and no expression.
const readUniques = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { names, table }: EntityRow.Any) {
  const rows = yield* sql.onDialectOrElse({
    pg: () => sql<IndexColumn>`SELECT i.indexrelid::text AS index, a.attname AS name
      FROM pg_catalog.pg_index i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (attnum, place)
      JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
      WHERE i.indrelid = to_regclass(${quote(table)}) AND i.indisunique AND i.indisvalid AND i.indpred IS NULL
        AND i.indexprs IS NULL AND k.place <= i.indnkeyatts`,
    orElse: () => sql<IndexColumn>`SELECT l.name AS "index", x.name AS name
      FROM pragma_index_list(${table}) l, pragma_index_xinfo(l.name) x
      WHERE l."unique" = 1 AND l.partial = 0 AND x.key = 1`
  })
  const known = new Map(names.map((name) => [name.toLowerCase(), name]))
  const indexes = new Map<string, Array<string>>()
  for (const { index, name } of rows) {
    // An expression has no name, and an empty name is no column of the key.
    const column = name === null ? "" : names.includes(name) ? name : (known.get(name.toLowerCase()) ?? name)
    indexes.set(index, [...(indexes.get(index) ?? []), column])
  }
  return [...indexes.values()]
})

interface IndexColumn {
  readonly index: string
  readonly name: string | null
}

interface PgRow {
  readonly name: string
  readonly type: string
  readonly base: string
  readonly category: string
  readonly required: boolean
  readonly isUnique: boolean
  readonly kind: string
}

const readPg = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, entity: EntityRow.Any) {
  const rows = yield* sql<PgRow>`WITH RECURSIVE columns AS (
      SELECT a.attnum, a.attname, a.attnotnull, a.atttypid, a.attcollation, format_type(a.atttypid, a.atttypmod) AS type, c.oid, c.relkind
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
      WHERE c.oid = to_regclass(${quote(entity.table)}) AND a.attnum > 0 AND NOT a.attisdropped
    ), bases AS (
      SELECT DISTINCT t.oid AS declared, t.typtype, t.typbasetype, t.typname, t.typcategory, t.typnotnull
      FROM columns JOIN pg_catalog.pg_type t ON t.oid = columns.atttypid
      UNION ALL
      SELECT b.declared, t.typtype, t.typbasetype, t.typname, t.typcategory, b.typnotnull OR t.typnotnull
      FROM bases b JOIN pg_catalog.pg_type t ON t.oid = b.typbasetype WHERE b.typtype = 'd'
    )
    SELECT c.attname AS name, c.type, b.typname AS base, b.typcategory AS category, c.relkind AS kind,
      c.attnotnull OR b.typnotnull AS required,
      EXISTS (SELECT 1 FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid
        AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indnkeyatts = 1 AND i.indkey[0] = c.attnum
          AND i.indcollation[0] = c.attcollation) AS "isUnique"
    FROM columns c JOIN bases b ON b.declared = c.atttypid WHERE b.typtype <> 'd'`
  if (rows.length === 0) return undefined
  const columns = rows.map(({ base, category, isUnique, name, required, type }): Catalogue.Found => ({
    name,
    type,
    kinds: Catalogue.pgKinds(base, category),
    nullable: !required,
    unique: isUnique
  }))
  return { isView: !["r", "p"].includes(rows[0]?.kind ?? ""), columns } satisfies Catalogue.Table
})

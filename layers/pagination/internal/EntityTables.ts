// Compares entities with the tables of the database.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import * as Catalogue from "../../../src/pagination/internal/query/Catalogue.ts"
import { EntityMismatch } from "../../../src/pagination/Entity.ts"
import { quoteTable, tableName } from "../../../src/pagination/internal/query/Dialect.ts"
import type * as EntityRow from "../../../src/pagination/internal/columns/EntityRow.ts"
import * as ColumnCollations from "./ColumnCollations.ts"
import * as SearchCheck from "./SearchCheck.ts"

/** Fails on the first entity whose declaration does not fit its table, or whose table is not there. */
export const check = (
  ...entities: ReadonlyArray<EntityRow.Any>
): Effect.Effect<void, EntityMismatch, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const read = sql.onDialectOrElse({ pg: () => readPg, orElse: () => readSqlite })
    for (const entity of new Set(entities)) {
      const table = yield* Effect.orDie(read(sql, entity))
      if (table === undefined) return yield* new EntityMismatch({ table: entity.table, problems: [] })
      const problems = Catalogue.problems(entity, table)
      const all = problems.length > 0 ? problems : yield* Effect.orDie(SearchCheck.problems(sql, entity))
      if (all.length > 0) return yield* new EntityMismatch({ table: entity.table, problems: all })
    }
  })

interface SqliteRow {
  readonly name: string
  readonly type: string
  readonly required: number
  readonly isRowId: number
  readonly preset: string | null
  readonly kind: string
}

const readSqlite = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, entity: EntityRow.Any) {
  const { name: table, schema } = tableName(entity.table)
  const schemas = yield* sql`SELECT 1 FROM pragma_database_list WHERE name = coalesce(${schema}, name) COLLATE NOCASE`
  if (schemas.length === 0) return undefined
  const rows = yield* sql<SqliteRow>`SELECT c.name, c.type, c."notnull" AS required, c.dflt_value AS preset,
      c.pk > 0 AND NOT EXISTS (SELECT 1 FROM pragma_index_list(${table}, ${schema}) WHERE origin = 'pk') AS "isRowId",
      (SELECT t.type FROM pragma_table_list(${table}) t WHERE t.schema = coalesce(${schema}, t.schema) LIMIT 1) AS kind
    FROM pragma_table_xinfo(${table}, ${schema}) c`
  if (rows.length === 0) return undefined
  const indexed = yield* sql<IndexColumn>`SELECT l.name AS "index", x.name AS name, upper(x.coll) AS collation
    FROM pragma_index_list(${table}, ${schema}) l, pragma_index_xinfo(l.name, ${schema}) x
    WHERE l."unique" = 1 AND l.partial = 0 AND x.key = 1`
  const collations = yield* ColumnCollations.read(sql, entity)
  // SQLite knows a column whatever the case of its letters.
  const names = new Map(entity.names.map((name) => [name.toLowerCase(), name]))
  const named = (name: string): string => names.get(name.toLowerCase()) ?? name
  const columns: Array<Catalogue.Found> = []
  const uniques = grouped(
    indexed.map(({ collation, index, name }) => {
      const by = collations.get(named(name ?? "")) ?? "BINARY"
      return { index, name: name === null || (by !== "BINARY" && by !== collation) ? null : named(name) }
    })
  )
  for (const row of rows) {
    const { isRowId, preset, required, type } = row
    const name = named(row.name)
    columns.push({ name, type, kinds: Catalogue.sqliteKinds(type), preset, nullable: required === 0 && isRowId === 0 })
    if (isRowId === 1) uniques.push([name])
  }
  return { isView: rows[0]?.kind !== "table", columns, uniques } satisfies Catalogue.Table
})

// A column of a unique index that covers all rows.
interface IndexColumn {
  readonly index: string
  /** None for an expression, and where the index tells values apart that the column takes for equal. */
  readonly name: string | null
  readonly collation?: string
}

const grouped = (columns: ReadonlyArray<IndexColumn>): Array<ReadonlyArray<string>> => {
  const indexes = new Map<string, Array<string>>()
  // An empty name is no column of a key.
  for (const { index, name } of columns) indexes.set(index, [...(indexes.get(index) ?? []), name ?? ""])
  return [...indexes.values()]
}

interface PgRow {
  readonly name: string
  readonly type: string
  readonly base: string
  readonly category: string
  readonly required: boolean
  readonly kind: string
}

const readPg = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, entity: EntityRow.Any) {
  const rows = yield* sql<PgRow>`WITH RECURSIVE columns AS (
      SELECT a.attname, a.attnotnull, a.atttypid, format_type(a.atttypid, a.atttypmod) AS type, c.relkind
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
      WHERE c.oid = to_regclass(${quoteTable(entity.table)}) AND a.attnum > 0 AND NOT a.attisdropped
    ), bases AS (
      SELECT DISTINCT t.oid AS declared, t.typtype, t.typbasetype, t.typname, t.typcategory, t.typnotnull
      FROM columns JOIN pg_catalog.pg_type t ON t.oid = columns.atttypid
      UNION ALL
      -- A domain over an enum has no operators: each filter and each cursor of it would fail.
      SELECT b.declared, t.typtype, t.typbasetype, t.typname, CASE t.typcategory WHEN 'E' THEN 'X' ELSE t.typcategory END,
        b.typnotnull OR t.typnotnull
      FROM bases b JOIN pg_catalog.pg_type t ON t.oid = b.typbasetype WHERE b.typtype = 'd'
    )
    SELECT c.attname AS name, c.type, b.typname AS base, b.typcategory AS category, c.relkind AS kind,
      c.attnotnull OR b.typnotnull AS required
    FROM columns c JOIN bases b ON b.declared = c.atttypid WHERE b.typtype <> 'd'`
  if (rows.length === 0) return undefined
  // By a collation that is deterministic no two values are equal that an index tells apart.
  const indexed = yield* sql<IndexColumn>`SELECT i.indexrelid::text AS index, CASE WHEN k.attnum > 0
      AND (o.collisdeterministic IS NOT FALSE OR i.indcollation[k.place::int - 1] = a.attcollation) THEN a.attname END AS name
    FROM pg_catalog.pg_index i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (attnum, place)
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
    LEFT JOIN pg_catalog.pg_collation o ON o.oid = a.attcollation
    WHERE i.indrelid = to_regclass(${quoteTable(entity.table)}) AND i.indisunique AND i.indisvalid
      AND i.indpred IS NULL AND k.place <= i.indnkeyatts`
  const columns = rows.map(({ base, category, name, required, type }): Catalogue.Found => ({
    name,
    type,
    kinds: Catalogue.pgKinds(base, category),
    nullable: !required
  }))
  const isView = !["r", "p"].includes(rows[0]?.kind ?? "")
  return { isView, columns, uniques: grouped(indexed) } satisfies Catalogue.Table
})

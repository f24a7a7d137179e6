// Looks for the full-text index of an entity in the database.
import type { SqlClient, SqlError } from "@effect/sql"
import { Effect } from "effect"
import type * as Catalogue from "../../../src/pagination/internal/query/Catalogue.ts"
import { pg, quoteTable, sqlite, tableName } from "../../../src/pagination/internal/query/Dialect.ts"
import type * as EntityRow from "../../../src/pagination/internal/columns/EntityRow.ts"
import * as FullText from "../../../src/pagination/internal/query/FullText.ts"
import type { FullTextIndex } from "../../../src/pagination/internal/columns/EntityRow.ts"
import { schemaTable } from "./TableIndexes.ts"

interface Text {
  readonly text: string | null
}

/** The statements that make the index where it is missing. */
export const missing = (
  sql: SqlClient.SqlClient,
  entity: EntityRow.Any
): Effect.Effect<ReadonlyArray<string>, SqlError.SqlError> => {
  const index = FullText.indexOf(entity)
  const [dialect, found] = sql.onDialectOrElse({
    pg: () => [pg, hasGin(sql, entity, index)] as const,
    orElse: () => [sqlite, hasFts5(sql, index)] as const
  })
  return Effect.map(found, (isThere) => (isThere ? [] : FullText.statements(dialect, entity)))
}

/** Why a search would fail: the table of SQLite or the column of PostgreSQL is not there. */
export const problems = (
  sql: SqlClient.SqlClient,
  entity: EntityRow.Any
): Effect.Effect<ReadonlyArray<Catalogue.Problem>, SqlError.SqlError> => {
  if (entity.search === undefined) return Effect.succeed([])
  const index = entity.search
  const problem = (column: string, declared: string, found: string) => [{ column, declared, found }]
  return sql.onDialectOrElse({
    pg: () => {
      const { vector } = index
      if (vector === undefined) return Effect.succeed([])
      return Effect.map(typeOf(sql, entity, vector), (type) =>
        type === "tsvector" ? [] : problem(vector, "a vector to search", type ?? "no such column")
      )
    },
    orElse: () => {
      const columns = index.columns.join(", ")
      if (!FullText.isServed(sqlite, entity)) {
        return Effect.succeed(problem(entity.keys.join(", "), "the key of a full-text index", "no single integer"))
      }
      return Effect.map(missing(sql, entity), (statements) =>
        statements.length === 0
          ? []
          : problem(columns, "a full-text index", `no FTS5 table ${index.table}. Create it: ${statements.join("; ")}`)
      )
    }
  })
}

const hasFts5 = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { columns, table }: FullTextIndex) {
  const { name, schema } = tableName(table)
  const [found] = yield* sql<Text>`SELECT sql AS text FROM ${sql.literal(schemaTable(schema))}
    WHERE type = 'table' AND name = ${name}`
  if (found === undefined || !/\busing\s+fts5\b/i.test(found.text ?? "")) return false
  const names = yield* sql<{ readonly name: string }>`SELECT name FROM pragma_table_info(${name}, ${schema})`
  const known = new Set(names.map(({ name }) => name.toLowerCase()))
  return columns.every((column) => known.has(column.toLowerCase()))
})

const hasGin = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { table }: EntityRow.Any,
  { columns, config, vector }: FullTextIndex
) {
  const found = yield* sql<Gin>`SELECT pg_get_indexdef(i.indexrelid) AS text, ARRAY(
      SELECT a.attname::text FROM pg_catalog.pg_depend d
      JOIN pg_catalog.pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
      WHERE d.classid = 'pg_class'::regclass AND d.objid = i.indexrelid AND d.refobjid = i.indrelid) AS names
    FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
    JOIN pg_catalog.pg_am m ON m.oid = c.relam AND m.amname IN ('gin', 'gist')
    WHERE i.indrelid = to_regclass(${quoteTable(table)}) AND i.indisvalid AND i.indpred IS NULL`
  const [part, needed] = vector === undefined ? [`to_tsvector('${config}'::regconfig`, columns] : ["", [vector]]
  return found.some(({ names, text }) => text.includes(part) && needed.every((column) => names.includes(column)))
})

interface Gin {
  readonly text: string
  /** The columns of the table that the index reads. */
  readonly names: ReadonlyArray<string>
}

const typeOf = (sql: SqlClient.SqlClient, { table }: EntityRow.Any, column: string) =>
  Effect.map(
    sql<Text>`SELECT format_type(atttypid, atttypmod) AS text FROM pg_catalog.pg_attribute
      WHERE attrelid = to_regclass(${quoteTable(table)}) AND attname = ${column} AND NOT attisdropped`,
    ([found]) => found?.text
  )

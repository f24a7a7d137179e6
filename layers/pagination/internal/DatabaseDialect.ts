// The dialect of a database, with what its catalogue says of all tables: read once, when a repository is made.
import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { type Dialect, type Named, pgWith, sqlite, tableName } from "../../../src/pagination/internal/query/Dialect.ts"

/** The dialect of this database. */
export const read = (sql: SqlClient.SqlClient): Effect.Effect<Dialect> =>
  sql.onDialectOrElse({
    pg: () => Effect.map(Effect.orDie(nondeterministic(sql)), pgWith),
    sqlite: () => Effect.succeed(sqlite),
    orElse: () => Effect.dieMessage("a repository needs SQLite or PostgreSQL")
  })

interface Row {
  readonly schema: string
  readonly table: string
  readonly column: string
}

// Which columns have a collation that is not deterministic: mostly none.
const nondeterministic = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const rows = yield* sql<Row & { readonly isVisible: boolean }>`
    SELECT n.nspname AS schema, c.relname AS table, a.attname AS column,
      pg_catalog.pg_table_is_visible(c.oid) AS "isVisible"
    FROM pg_catalog.pg_collation k JOIN pg_catalog.pg_attribute a ON a.attcollation = k.oid AND NOT a.attisdropped
    JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE NOT k.collisdeterministic`
  return ({ column, table }: Named): boolean => {
    const { name, schema } = tableName(table)
    return rows.some(
      (row) => row.column === column && row.table === name && (schema === null ? row.isVisible : row.schema === schema)
    )
  }
})

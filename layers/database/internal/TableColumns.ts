// What a table is made of, read from the database's catalogue.
import { SqlClient, type SqlError } from "@effect/sql"
import { Effect } from "effect"

/** A column, with its type as the database names it. */
export interface Column {
  readonly name: string
  readonly type: string
  /** Whether a new row must have a value for it. */
  readonly required: boolean
  /** Whether it can be `NULL`. */
  readonly nullable: boolean
  /** Whether it alone has a unique index over all rows. */
  readonly unique: boolean
}

/** The columns of a table, or of a view; none when there is no such table. */
export const read = (table: string): Effect.Effect<ReadonlyArray<Column>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (client) => {
    const sql = client.withoutTransforms()
    return sql.onDialectOrElse({ pg: () => postgres(sql, table), orElse: () => sqlite(sql, table) })
  })

const postgres = (sql: SqlClient.SqlClient, table: string) => {
  const quoted = table
    .split(".")
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join(".")
  return sql<Column>`SELECT a.attname AS name, t.typname AS type,
      (a.attnotnull AND NOT a.atthasdef AND a.attidentity = '') AS required,
      NOT a.attnotnull AS nullable,
      EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique AND i.indisvalid
        AND i.indpred IS NULL AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum) AS ${sql("unique")}
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
    WHERE a.attrelid = to_regclass(${quoted}) AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY a.attnum`
}

interface SqliteColumn {
  readonly name: string
  readonly type: string
  readonly required: number
  readonly nullable: number
  readonly unique: number
}

const sqlite = (sql: SqlClient.SqlClient, table: string) =>
  Effect.map(
    // A column `INTEGER PRIMARY KEY` is filled by the database, and has no index of its own.
    sql<SqliteColumn>`SELECT name, lower(type) AS type,
        ("notnull" = 1 AND dflt_value IS NULL AND NOT (pk = 1 AND lower(type) = 'integer')) AS required,
        ("notnull" = 0) AS nullable,
        ((pk = 1 AND (SELECT max(pk) FROM pragma_table_info(${table})) = 1)
          OR EXISTS (SELECT 1 FROM pragma_index_list(${table}) l WHERE l."unique" = 1 AND l.partial = 0
          AND (SELECT group_concat(coalesce(i.name, '')) FROM pragma_index_info(l.name) i) = c.name)) AS "unique"
      FROM pragma_table_info(${table}) c`,
    (rows) =>
      rows.map(({ name, nullable, required, type, unique }): Column => ({
        name,
        type,
        required: required === 1,
        nullable: nullable === 1,
        unique: unique === 1
      }))
  )

// Deletes what has expired a little at a time: no one waits long for the lock.
import type { SqlClient, SqlError } from "@effect/sql"
import { Effect } from "effect"

export const size = 500

/** Deletes the rows of a table that have expired; how many there were. */
export const sweep = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, table: string, key: string, now: number) {
  let total = 0
  for (;;) {
    const gone = yield* batch(sql, table, key, now)
    total += gone
    if (gone < size) return total
    yield* Effect.yieldNow()
  }
})

const batch = (
  sql: SqlClient.SqlClient,
  table: string,
  key: string,
  now: number
): Effect.Effect<number, SqlError.SqlError> =>
  Effect.map(
    sql`DELETE FROM ${sql(table)} WHERE ${sql(key)} IN (
      SELECT ${sql(key)} FROM ${sql(table)} WHERE expires <= ${now} LIMIT ${size}
    ) RETURNING 1 AS gone`,
    (rows) => rows.length
  )

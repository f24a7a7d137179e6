// Deletes expired rows in batches, so that no other statement waits long for the lock.
import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const size = 500

/** Deletes the rows of a table whose `column` is this time or an earlier one; returns how many. */
export const deleteExpired = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  table: string,
  key: string,
  now: number,
  column = "expires"
) {
  let total = 0
  for (;;) {
    const found = yield* sql<{ key: string }>`SELECT ${sql(key)} AS key FROM ${sql(table)}
      WHERE ${sql(column)} <= ${now} ORDER BY ${sql(column)} LIMIT ${size}`
    if (found.length === 0) return total
    // Checked again: a row may have been renewed since.
    const keys = found.map((row) => row.key)
    const gone = yield* sql`DELETE FROM ${sql(table)}
      WHERE ${sql.in(key, keys)} AND ${sql(column)} <= ${now} RETURNING ${sql(key)}`
    total += gone.length
    if (found.length < size) return total
    yield* Effect.yieldNow()
  }
})

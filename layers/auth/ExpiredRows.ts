// Deletes expired rows in batches, so that no other statement waits long for the lock.
import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const size = 500

/** Deletes the expired rows of a table; returns how many. */
export const deleteExpired = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  table: string,
  key: string,
  now: number
) {
  let total = 0
  for (;;) {
    const found = yield* sql<{ key: string }>`SELECT ${sql(key)} AS key FROM ${sql(table)}
      WHERE expires <= ${now} ORDER BY expires LIMIT ${size}`
    if (found.length === 0) return total
    // Checked again: a row may have been renewed since.
    const keys = found.map((row) => row.key)
    const gone = yield* sql`DELETE FROM ${sql(table)}
      WHERE ${sql.in(key, keys)} AND expires <= ${now} RETURNING ${sql(key)}`
    total += gone.length
    if (found.length < size) return total
    yield* Effect.yieldNow()
  }
})

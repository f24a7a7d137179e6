// Deletes what has expired a little at a time: no one waits long for the lock.
import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const size = 500

/** Deletes the rows of a table that have expired; how many there were. */
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
    // Still expired: someone may have used it since.
    const keys = found.map((row) => row.key)
    const gone = yield* sql`DELETE FROM ${sql(table)}
      WHERE ${sql.in(key, keys)} AND expires <= ${now} RETURNING ${sql(key)}`
    total += gone.length
    if (found.length < size) return total
    yield* Effect.yieldNow()
  }
})

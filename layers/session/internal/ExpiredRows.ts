// Deletes expired rows in batches, so that no other statement waits long for the lock.
import type { SqlClient, Statement } from "@effect/sql"
import { Effect } from "effect"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"

const size = 500

const deleteUntil = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  table: string,
  key: string,
  column: string,
  now: number,
  where: Statement.Fragment
) {
  let total = 0
  for (;;) {
    const found = yield* sql<{ key: string }>`SELECT ${sql(key)} AS key FROM ${sql(table)}
      WHERE ${sql(column)} <= ${now}${where} ORDER BY ${sql(column)} LIMIT ${size}`
    if (found.length === 0) return total
    // Checked again: a row may have been renewed since.
    const keys = found.map((row) => row.key)
    const ours = sql`${sql.in(key, keys)} AND ${sql(column)} <= ${now}${where}`
    // Whoever holds a row may want another one of these: the next sweep takes what is left.
    const free = sql.onDialectOrElse({
      pg: () => sql`${sql(key)} IN (SELECT ${sql(key)} FROM ${sql(table)} WHERE ${ours} FOR UPDATE SKIP LOCKED)`,
      orElse: () => ours
    })
    const gone = yield* sql`DELETE FROM ${sql(table)} WHERE ${free} RETURNING ${sql(key)}`
    total += gone.length
    if (found.length < size || gone.length === 0) return total
    yield* Effect.yieldNow()
  }
})

interface Options {
  readonly column?: string
  readonly seconds?: number
  /** Which of the rows, beginning with `AND`; all of them when it is missing. */
  readonly where?: Statement.Fragment
}

/** Deletes the rows of a table whose `column` is this many seconds old; returns how many. */
export const sweep = (
  sql: SqlClient.SqlClient,
  table: string,
  key: string,
  { column = "expires", seconds = 0, where = sql`` }: Options = {}
): Effect.Effect<number> =>
  Effect.flatMap(EpochSeconds.seconds, (now) =>
    Effect.orDie(deleteUntil(sql, table, key, column, now - seconds, where))
  )

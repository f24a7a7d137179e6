// Messages about changes of accounts that wait to be sent. The id of one that collects changes is a digest of its account and
// its recipient; whoever sends it gives it another one, so that the next change begins a new message.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

export const notices = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  const table = sql(tables.notices)
  yield* sql`CREATE TABLE ${table} (
    id TEXT NOT NULL PRIMARY KEY,
    letter TEXT NOT NULL,
    changes TEXT NOT NULL,
    token TEXT NOT NULL,
    due BIGINT NOT NULL,
    created_at BIGINT NOT NULL
  )`
  for (const column of ["due", "created_at"]) {
    yield* sql`CREATE INDEX ${sql(`${tables.prefix}notices_${column}`)} ON ${table} (${sql(column)})`
  }
})

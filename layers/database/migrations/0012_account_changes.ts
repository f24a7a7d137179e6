// Changes of accounts that wait for a link or a day. `kind` is `email` (a new address, proved by its link), `undo` (an old
// address, restored by its link; an earlier one has a lower position) or `deletion` (due at `expires`). Of the first and the
// last an account has one at most.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

export const accountChanges = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  const table = sql(tables.accountChanges)
  const index = (name: string) => sql(`${tables.prefix}account_changes_${name}`)
  yield* sql`CREATE TABLE ${table} (
    selector TEXT NOT NULL PRIMARY KEY,
    verifier TEXT NOT NULL,
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    email TEXT NOT NULL,
    position BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires BIGINT NOT NULL
  )`
  yield* sql`CREATE UNIQUE INDEX ${index("one")} ON ${table} (user_id, kind) WHERE kind <> 'undo'`
  yield* sql`CREATE INDEX ${index("user")} ON ${table} (user_id)`
  yield* sql`CREATE INDEX ${index("email")} ON ${table} (email)`
  yield* sql`CREATE INDEX ${index("expires")} ON ${table} (expires)`
})

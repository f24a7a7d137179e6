// Trusted devices, one row for each series. `previous` and `rotated_at` are for the grace period of two tabs that open at
// once; `peer`, `user_agent` and `last_used` are for the list of devices that a user sees.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

export const trusts = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.trusts)} (
    selector TEXT NOT NULL PRIMARY KEY,
    verifier TEXT NOT NULL,
    user_id TEXT NOT NULL,
    expires BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    previous TEXT,
    rotated_at BIGINT,
    peer TEXT,
    user_agent TEXT,
    last_used BIGINT
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}trusts_user`)} ON ${sql(tables.trusts)} (user_id)`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}trusts_expires`)} ON ${sql(tables.trusts)} (expires)`
})

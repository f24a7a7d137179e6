// Single-use action tokens. Only the digest of the verifier is stored.
//
// No table has a foreign key to `users`: its name and columns are options of the layers, and a program may store its
// accounts elsewhere.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

export const tokens = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.tokens)} (
    selector TEXT NOT NULL PRIMARY KEY,
    verifier TEXT NOT NULL,
    user_id TEXT NOT NULL,
    purpose TEXT NOT NULL,
    expires BIGINT NOT NULL,
    created_at BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}tokens_user`)} ON ${sql(tables.tokens)} (user_id, purpose)`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}tokens_expires`)} ON ${sql(tables.tokens)} (expires)`
})

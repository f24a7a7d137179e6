// API tokens. The key is the digest of the secret, so that a copy of this table grants nothing. `scopes` are separated by
// blanks.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

export const apiTokens = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.apiTokens)} (
    key TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used BIGINT,
    expires BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}api_tokens_user`)} ON ${sql(tables.apiTokens)} (user_id)`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}api_tokens_expires`)} ON ${sql(tables.apiTokens)} (expires)`
})

// The keys that sign the cookies of guests, shared by all workers. `revocations` counts how often the sign-ins of an
// account were revoked. The unique index allows one token for each user and purpose.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

export const keys = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.keys)} (
    id INTEGER NOT NULL PRIMARY KEY,
    secret TEXT NOT NULL,
    created_at BIGINT NOT NULL
  )`
  yield* sql`CREATE TABLE ${sql(tables.revocations)} (
    user_id TEXT NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}revocations_number`)} ON ${sql(tables.revocations)} (number)`
  yield* sql`DROP INDEX ${sql(`${tables.tokens}_user`)}`
  yield* sql`CREATE UNIQUE INDEX ${sql(`${tables.prefix}tokens_user`)} ON ${sql(tables.tokens)} (user_id, purpose)`
})

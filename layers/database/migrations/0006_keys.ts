// The keys that sign the cookies of guests, shared by all workers. `revocations` counts how often the sign-ins of an
// account were revoked. The unique index allows one token for each user and purpose.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const keys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE keys (
    id INTEGER NOT NULL PRIMARY KEY,
    secret TEXT NOT NULL,
    created_at BIGINT NOT NULL
  )`
  yield* sql`CREATE TABLE revocations (
    user_id TEXT NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX revocations_number ON revocations (number)`
  yield* sql`DROP INDEX tokens_user`
  yield* sql`CREATE UNIQUE INDEX tokens_user ON tokens (user_id, purpose)`
})

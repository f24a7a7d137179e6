// The keys that sign what a guest carries, shared by all workers; and what makes revocation and minting exact:
// `revocations` numbers the times that an account's sign-ins were revoked, and a user has one token a purpose.
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

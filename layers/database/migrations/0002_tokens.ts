// Single-use action tokens. Only the digest of the verifier is stored.
//
// No table has a foreign key to `users`: its name and columns are options of the layers, and a program may store its
// accounts elsewhere.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const tokens = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE tokens (
    selector TEXT NOT NULL PRIMARY KEY,
    verifier TEXT NOT NULL,
    user_id TEXT NOT NULL,
    purpose TEXT NOT NULL,
    expires BIGINT NOT NULL,
    created_at BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX tokens_user ON tokens (user_id, purpose)`
  yield* sql`CREATE INDEX tokens_expires ON tokens (expires)`
})

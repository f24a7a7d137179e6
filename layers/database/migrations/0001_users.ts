// Accounts. The unique index is the only gate against a second account of the same e-mail.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const users = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE users (
    id TEXT NOT NULL PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    password TEXT NOT NULL,
    email_verified_at BIGINT,
    created_at BIGINT NOT NULL
  )`
})

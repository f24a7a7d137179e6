// Accounts. Only the unique index prevents a second account with the same e-mail address.
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

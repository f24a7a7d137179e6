// Accounts. Only the unique index prevents a second account with the same e-mail address.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

export const users = Effect.fnUntraced(function* (tables: Tables) {
  // The program's own table is there already, or comes with the program's migrations.
  if (tables.users.owner === "program") return
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.users.table)} (
    id TEXT NOT NULL PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    password TEXT NOT NULL,
    email_verified_at BIGINT,
    created_at BIGINT NOT NULL
  )`
})

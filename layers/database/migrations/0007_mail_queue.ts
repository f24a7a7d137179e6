// Messages that wait to be sent. `due` is when the next worker may take one: now, after a back-off, or when the lease of
// the worker that holds it ends. A sent message is deleted, because its text contains a valid link.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

export const mailQueue = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.mailQueue)} (
    id TEXT NOT NULL PRIMARY KEY,
    letter TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    due BIGINT NOT NULL,
    ticket TEXT,
    failed_at BIGINT,
    reason TEXT,
    created_at BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}mail_queue_due`)} ON ${sql(tables.mailQueue)} (due, id) WHERE failed_at IS NULL`
})

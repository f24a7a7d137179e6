// Messages that wait to be sent. `due` is when the next worker may take one: now, after a back-off, or when the lease of
// the worker that holds it ends. A sent message is deleted, because its text contains a valid link.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const mailQueue = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE mail_queue (
    id TEXT NOT NULL PRIMARY KEY,
    letter TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    due BIGINT NOT NULL,
    ticket TEXT,
    failed_at BIGINT,
    reason TEXT,
    created_at BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX mail_queue_due ON mail_queue (due, id) WHERE failed_at IS NULL`
})

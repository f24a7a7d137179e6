// Recoveries of accounts whose factors are lost: one for an account at most. `cancel_…` is the link of the first message,
// `selector` and `verifier` are that of the second one and absent until it is sent.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

export const factorRecoveries = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  const table = sql(tables.factorRecoveries)
  const index = (name: string) => sql(`${tables.prefix}factor_recoveries_${name}`)
  yield* sql`CREATE TABLE ${table} (
    user_id TEXT NOT NULL PRIMARY KEY,
    email TEXT NOT NULL,
    cancel_selector TEXT NOT NULL,
    cancel_verifier TEXT NOT NULL,
    selector TEXT,
    verifier TEXT,
    ready BIGINT NOT NULL,
    expires BIGINT NOT NULL
  )`
  yield* sql`CREATE UNIQUE INDEX ${index("cancel")} ON ${table} (cancel_selector)`
  yield* sql`CREATE UNIQUE INDEX ${index("selector")} ON ${table} (selector)`
  yield* sql`CREATE INDEX ${index("expires")} ON ${table} (expires)`
})

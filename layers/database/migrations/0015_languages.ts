// The language of the request that a waiting change or recovery was asked for with: its messages are sent much later.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

export const languages = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE ${sql(tables.accountChanges)} ADD COLUMN language TEXT NOT NULL DEFAULT ''`
  yield* sql`ALTER TABLE ${sql(tables.factorRecoveries)} ADD COLUMN language TEXT NOT NULL DEFAULT ''`
})

// Wrong codes of a second factor from devices that the account does not know, since its password was set.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

export const wrongCodes = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE ${sql(tables.factorSettings)} ADD COLUMN wrong_codes BIGINT NOT NULL DEFAULT 0`
})

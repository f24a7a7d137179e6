// The two phases of a rotation: `next` is the digest of a validator whose response is about to be sent, `next_until` ends
// the lease of the process that sends it, in milliseconds. Both are null when no rotation is pending.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

export const trustRotations = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE ${sql(tables.trusts)} ADD COLUMN next TEXT`
  yield* sql`ALTER TABLE ${sql(tables.trusts)} ADD COLUMN next_until BIGINT`
})

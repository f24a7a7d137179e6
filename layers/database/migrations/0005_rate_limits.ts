// Counters of rate limits. The key is a digest, since it may be made of an IP address or an e-mail address. `hits` holds
// the timestamps that still count, oldest first, thirteen digits each.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

export const rateLimits = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.rateLimits)} (
    key TEXT NOT NULL PRIMARY KEY,
    hits TEXT NOT NULL,
    expires BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}rate_limits_expires`)} ON ${sql(tables.rateLimits)} (expires)`
})

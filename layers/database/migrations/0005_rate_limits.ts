// Counters of rate limits. The key is a digest, since it may be made of an IP address or an e-mail address. `hits` holds
// the timestamps that still count, oldest first, thirteen digits each.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const rateLimits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE rate_limits (
    key TEXT NOT NULL PRIMARY KEY,
    hits TEXT NOT NULL,
    expires BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX rate_limits_expires ON rate_limits (expires)`
})

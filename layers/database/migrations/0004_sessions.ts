// Sessions of signed-in users. The key is the digest of the id in the cookie, so that a copy of this table opens no
// session. `expires` is the idle deadline, `absolute` the deadline that no request extends.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

export const sessions = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.sessions)} (
    key TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    data TEXT NOT NULL,
    version INTEGER NOT NULL,
    created_at BIGINT NOT NULL,
    last_seen BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    absolute BIGINT NOT NULL,
    peer TEXT,
    user_agent TEXT
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}sessions_user`)} ON ${sql(tables.sessions)} (user_id)`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}sessions_expires`)} ON ${sql(tables.sessions)} (expires)`
})

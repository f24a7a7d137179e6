// Sessions of signed-in users. The key is the digest of the id in the cookie, so that a copy of this table opens no
// session. `expires` is the idle deadline, `absolute` the deadline that no request extends.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const sessions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE sessions (
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
  yield* sql`CREATE INDEX sessions_user ON sessions (user_id)`
  yield* sql`CREATE INDEX sessions_expires ON sessions (expires)`
})

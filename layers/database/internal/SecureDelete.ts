// Overwrites what is deleted, where the database would leave it in its file.
import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Without it, SQLite leaves deleted text in the file until its page is reused, and with it the link of a message. */
export const on = (sql: SqlClient.SqlClient): Effect.Effect<void> =>
  sql.onDialectOrElse({
    sqlite: () => Effect.asVoid(Effect.orDie(sql`PRAGMA secure_delete = ON`)),
    orElse: () => Effect.void
  })

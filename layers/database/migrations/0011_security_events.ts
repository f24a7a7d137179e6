// What happened to accounts. `details` is the JSON of what the event has besides its name. Rows are added and, when they are
// old, deleted; a trigger refuses to change one.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

const message = "security_events is append-only"

export const securityEvents = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  const table = sql(tables.securityEvents)
  const name = `${tables.prefix}security_events`
  yield* sql`CREATE TABLE ${table} (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    event TEXT NOT NULL,
    outcome TEXT NOT NULL,
    actor TEXT NOT NULL,
    peer TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    details TEXT NOT NULL,
    created_at BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX ${sql(`${name}_user`)} ON ${table} (user_id, id)`
  yield* sql`CREATE INDEX ${sql(`${name}_created`)} ON ${table} (created_at)`
  const trigger = sql(`${name}_append_only`)
  yield* sql.onDialectOrElse({
    pg: () =>
      Effect.gen(function* () {
        const refuse = sql(`${tables.securityEvents}_append_only`)
        yield* sql`CREATE FUNCTION ${refuse}() RETURNS trigger LANGUAGE plpgsql
          AS ${sql.literal(`$$ BEGIN RAISE EXCEPTION '${message}'; END $$`)}`
        yield* sql`CREATE TRIGGER ${trigger} BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${refuse}()`
      }),
    orElse: () => sql`CREATE TRIGGER ${trigger} BEFORE UPDATE ON ${table}
      BEGIN SELECT RAISE(ABORT, ${sql.literal(`'${message}'`)}); END`
  })
})

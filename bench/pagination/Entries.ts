// The table of the measurements: a million rows with ties, nulls, columns that depend on each other, owners and notes.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import * as Column from "../../src/pagination/Column.ts"
import * as Entity from "../../src/pagination/Entity.ts"

export const Entry = Entity.make("entries", {
  key: "id",
  columns: {
    id: Column.integer,
    at: Column.integer,
    day: Column.integer,
    hour: Column.integer,
    due: Column.nullable(Column.integer),
    word: Column.text,
    owner_id: Column.integer
  }
})
export const Owner = Entity.make("owners", { key: "id", columns: { id: Column.integer, name: Column.text } })
export const Note = Entity.make("notes", {
  key: "id",
  columns: { id: Column.integer, entry_id: Column.integer, text: Column.text }
})

export const fill = Effect.fnUntraced(function* (total: number) {
  const sql = yield* SqlClient.SqlClient
  const numbers = sql.onDialectOrElse({
    pg: () => sql`SELECT n FROM generate_series(1, ${total}::int) AS n`,
    orElse: () =>
      sql`WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${total}) SELECT n FROM s`
  })
  yield* sql`CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT NOT NULL)`
  yield* sql`CREATE TABLE notes (id INTEGER PRIMARY KEY, entry_id INTEGER NOT NULL, text TEXT NOT NULL)`
  yield* sql`CREATE TABLE entries (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, day INTEGER NOT NULL,
    hour INTEGER NOT NULL, due INTEGER, word TEXT NOT NULL, owner_id INTEGER NOT NULL)`
  yield* sql`INSERT INTO owners SELECT n, 'owner number ' || n FROM (${numbers}) AS numbers WHERE n <= 100`
  yield* sql`INSERT INTO notes SELECT n, 1 + n % ${total}, 'note number ' || n FROM (${numbers}) AS numbers`
  // Moments in no order, three rows at each. The hour decides the day: a planner that takes columns for independent is wrong
  // about both. Every third row is not due.
  yield* sql`INSERT INTO entries SELECT n, ((n / 3) * 1009) % 333337, n / 1000, n / 100,
    CASE WHEN n % 3 = 0 THEN NULL ELSE (n * 7) % 100003 END, 'word number ' || n, 1 + n % 100
    FROM (${numbers}) AS numbers`
  yield* sql`CREATE INDEX entries_at ON entries (at, id)`
  yield* sql`CREATE INDEX entries_mixed ON entries (at DESC, id)`
  yield* sql`CREATE INDEX entries_day ON entries (day DESC, hour, id)`
  yield* sql`CREATE INDEX entries_due ON entries (due, id)`
  yield* sql`CREATE INDEX entries_owner ON entries (owner_id, id)`
  yield* sql`CREATE INDEX notes_entry ON notes (entry_id, id)`
  yield* sql`ANALYZE`
})

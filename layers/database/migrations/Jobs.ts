// The tables of durable work: jobs, and the queue that messages had before them. A migration that a release has had is never changed.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

/**
 * Messages that wait to be sent. `due` is when the next worker may take one: now, after a back-off, or when the lease of
 * the worker that holds it ends. A sent message is deleted, because its text contains a valid link.
 */
export const mailQueue = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql(tables.mailQueue)} (
    id TEXT NOT NULL PRIMARY KEY,
    letter TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    due BIGINT NOT NULL,
    ticket TEXT,
    failed_at BIGINT,
    reason TEXT,
    created_at BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}mail_queue_due`)} ON ${sql(tables.mailQueue)} (due, id) WHERE failed_at IS NULL`
})

/**
 * Jobs, the ticks of periodic ones and paused queues. Each state that a worker searches has an index of its own, so that
 * jobs that have ended, or that wait for next week, cost a claim nothing.
 */
export const jobs = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  const table = sql(tables.jobs)
  const index = (name: string) => sql(`${tables.prefix}jobs_${name}`)
  yield* sql`CREATE TABLE ${table} (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    queue TEXT NOT NULL,
    priority INTEGER NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    due BIGINT NOT NULL,
    lease TEXT,
    unique_key TEXT,
    unique_until TEXT,
    reason TEXT,
    traceparent TEXT,
    created_at BIGINT NOT NULL,
    ended_at BIGINT
  )`
  yield* sql`CREATE INDEX ${index("ready")} ON ${table} (queue, priority, due, id) WHERE state = 'ready'`
  yield* sql`CREATE INDEX ${index("waiting")} ON ${table} (due) WHERE state = 'waiting'`
  yield* sql`CREATE INDEX ${index("running")} ON ${table} (due) WHERE state = 'running'`
  yield* sql`CREATE UNIQUE INDEX ${index("unique")} ON ${table} (name, unique_key) WHERE unique_key IS NOT NULL`
  yield* sql`CREATE INDEX ${index("ended")} ON ${table} (ended_at) WHERE ended_at IS NOT NULL`
  yield* sql`CREATE TABLE ${sql(tables.jobTicks)} (name TEXT NOT NULL PRIMARY KEY, tick BIGINT NOT NULL)`
  yield* sql`CREATE TABLE ${sql(tables.pausedQueues)} (name TEXT NOT NULL PRIMARY KEY, paused_at BIGINT NOT NULL)`
})

/**
 * The key that opens a sealed payload, so that it is kept for as long as a job needs it; the jobs that ended without success,
 * by an index; and the key of a unique job, which stays when it has ended, so that a job that is retried takes it again.
 */
export const jobKeys = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  const table = sql(tables.jobs)
  const unique = `${tables.prefix}jobs_unique`
  yield* sql`ALTER TABLE ${table} ADD COLUMN key_id INTEGER`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}jobs_keys`)} ON ${table} (key_id) WHERE key_id IS NOT NULL`
  yield* sql`CREATE INDEX ${sql(`${tables.prefix}jobs_unsuccessful`)} ON ${table} (queue, state)
    WHERE state IN ('failed', 'discarded', 'cancelled')`
  yield* sql`DROP INDEX ${sql(tables.schema === undefined ? unique : `${tables.schema}.${unique}`)}`
  yield* sql`CREATE UNIQUE INDEX ${sql(unique)} ON ${table} (name, unique_key)
    WHERE unique_key IS NOT NULL AND ended_at IS NULL`
})

/**
 * A claim passes the index entries of all jobs that were begun since the table was vacuumed: PostgreSQL does it after a
 * hundredth of it has changed instead of a fifth, and does not leave them because they are few.
 */
export const jobVacuum = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({
    pg: () =>
      sql`ALTER TABLE ${sql(tables.jobs)} SET (autovacuum_vacuum_scale_factor = 0.01, vacuum_index_cleanup = on)`,
    orElse: () => Effect.void
  })
})

/** The key of a job that is unique until it starts, while it runs: one that is given back has it again. */
export const jobStartedKey = Effect.fnUntraced(function* (tables: Tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE ${sql(tables.jobs)} ADD COLUMN started_key TEXT`
})

// Jobs, the ticks of periodic ones and paused queues. Each state that a worker searches has an index of its own, so that
// jobs that have ended, or that wait for next week, cost a claim nothing.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Tables } from "../Tables.ts"

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

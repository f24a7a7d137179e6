// The statements of the queue, on both databases.
import type { SqlClient } from "@effect/sql"
import { Option } from "effect"
import type { JobInfo, NewJob, State } from "../../../src/jobs/Jobs.ts"
import type { Claim } from "../../../src/jobs/internal/JobStore.ts"
import * as TraceContext from "../../../src/http/internal/TraceContext.ts"
import * as Transaction from "../../database/internal/Transaction.ts"
import type * as Tables from "../../database/Tables.ts"

/** A claimed row. */
export interface ClaimedRow {
  readonly id: string
  readonly name: string
  readonly payload: string
  readonly attempts: number
  readonly priority: number
  readonly traceparent: string | null
}

interface Row {
  readonly id: string
  readonly name: string
  readonly queue: string
  readonly state: State
  readonly attempts: number
  readonly due: unknown
  readonly created_at: unknown
  readonly ended_at: unknown
  readonly reason: string | null
  readonly traceparent: string | null
}

export const infoOf = (row: Row): JobInfo => ({
  id: row.id,
  name: row.name,
  queue: row.queue,
  state: row.state,
  attempts: Number(row.attempts),
  due: Number(row.due),
  createdAt: Number(row.created_at),
  endedAt: row.ended_at === null ? undefined : Number(row.ended_at),
  reason: row.reason ?? undefined,
  traceId: row.traceparent === null ? undefined : TraceContext.parse(row.traceparent)?.traceId
})

export const claimOf = (lease: string, { attempts, id, name, payload, traceparent }: ClaimedRow): Claim => ({
  id,
  lease,
  name,
  payload,
  attempts: Number(attempts),
  traceparent: traceparent ?? undefined
})

/** A row with its id, as it is inserted. */
export const inserted = (id: string, now: number, job: NewJob) => ({
  id,
  name: job.name,
  queue: job.queue,
  priority: job.priority,
  payload: job.payload,
  state: job.due === undefined ? "ready" : "waiting",
  attempts: 0,
  due: job.due ?? now,
  unique_key: job.unique?.key ?? null,
  unique_until: job.unique?.until ?? null,
  traceparent: job.traceparent ?? null,
  created_at: now
})

export const make = (sql: SqlClient.SqlClient, tables: Tables.Tables) => {
  const [table, paused] = [sql(tables.jobs), sql(tables.pausedQueues)]
  const columns = sql.literal("id, name, queue, state, attempts, due, created_at, ended_at, reason, traceparent")
  const skipLocked = Transaction.skipLocked(sql)

  type Inserted = ReturnType<typeof inserted>
  const onKey = sql.literal("ON CONFLICT (name, unique_key) WHERE unique_key IS NOT NULL DO")

  // => UPDATE … WHERE id IN (SELECT … FROM jobs WHERE state = 'ready' AND queue = ? ORDER BY priority, due, id LIMIT ?)
  const claim = (queue: string, most: number, lease: string, until: number) =>
    sql<ClaimedRow>`UPDATE ${table} SET state = 'running', lease = ${lease}, due = ${until}, attempts = attempts + 1,
        unique_key = CASE WHEN unique_until = 'started' THEN NULL ELSE unique_key END
      WHERE id IN (
        SELECT id FROM ${table} WHERE state = 'ready' AND queue = ${queue}
          AND NOT EXISTS (SELECT 1 FROM ${paused} WHERE name = ${queue})
        ORDER BY priority, due, id LIMIT ${most} ${skipLocked}
      )
      RETURNING id, name, payload, attempts, priority, traceparent`

  // A lost worker has spent an attempt: a job that ends its process every time must end, too.
  const promote = (state: "waiting" | "running", now: number) =>
    sql<{ readonly id: string }>`UPDATE ${table} SET state = 'ready', lease = NULL
      WHERE id IN (
        SELECT id FROM ${table} WHERE state = ${sql.literal(`'${state}'`)} AND due <= ${now}
        ORDER BY due LIMIT 1000 ${skipLocked}
      )
      RETURNING id`

  const held = (claims: ReadonlyArray<Claim>) => {
    const ids = claims.map(({ id }) => id)
    const proofs = claims.map(({ id, lease }) => `${id} ${lease}`)
    return sql`${sql.in("id", ids)} AND ${sql("state")} = 'running' AND id || ' ' || lease IN ${sql.in(proofs)}`
  }

  return {
    insert: (rows: ReadonlyArray<Inserted>) =>
      sql<{ readonly id: string }>`INSERT INTO ${table} ${sql.insert(rows)} ${onKey} NOTHING RETURNING id`,
    // Only what has not started can be replaced.
    replace: (rows: ReadonlyArray<Inserted>) =>
      sql<{ readonly id: string; readonly unique_key: string }>`INSERT INTO ${table} AS known ${sql.insert(rows)}
        ${onKey} UPDATE SET payload = excluded.payload, state = excluded.state, due = excluded.due,
          priority = excluded.priority, queue = excluded.queue, traceparent = excluded.traceparent, attempts = 0
        WHERE known.state IN ('ready', 'waiting') RETURNING id, unique_key`,
    claim,
    promote,
    renew: (claims: ReadonlyArray<Claim>, until: number) =>
      sql<{ readonly id: string }>`UPDATE ${table} SET due = ${until} WHERE ${held(claims)} RETURNING id`,
    done: (claims: ReadonlyArray<Claim>, now: number, erase: boolean) =>
      sql<{
        readonly id: string
      }>`UPDATE ${table} SET state = 'done', ended_at = ${now}, lease = NULL, unique_key = NULL,
        reason = NULL, payload = ${erase ? "" : sql.literal("payload")} WHERE ${held(claims)} RETURNING id`,
    ended: (claim: Claim, state: "failed" | "discarded", now: number, reason: string) =>
      sql<{ readonly id: string }>`UPDATE ${table} SET state = ${state}, ended_at = ${now}, lease = NULL,
        unique_key = NULL, reason = ${reason} WHERE ${held([claim])} RETURNING id`,
    later: (claim: Claim, due: number, counted: boolean, reason: string | null) =>
      sql<{ readonly id: string }>`UPDATE ${table} SET state = 'waiting', due = ${due}, lease = NULL,
        attempts = attempts - ${counted ? 0 : 1}, reason = ${reason} WHERE ${held([claim])} RETURNING id`,
    running: (queue: string) =>
      sql<{
        readonly jobs: unknown
      }>`SELECT COUNT(*) AS jobs FROM ${table} WHERE state = 'running' AND queue = ${queue}`,
    cancel: (id: string, now: number) =>
      sql<{ readonly id: string }>`UPDATE ${table} SET state = 'cancelled', ended_at = ${now}, unique_key = NULL
        WHERE id = ${id} AND state IN ('waiting', 'ready') RETURNING id`,
    retry: (id: string, now: number) =>
      sql<{ readonly id: string }>`UPDATE ${table} SET state = 'ready', due = ${now}, attempts = 0, ended_at = NULL
        WHERE id = ${id} AND state IN ('failed', 'discarded', 'cancelled') AND payload <> '' RETURNING id`,
    retryFailed: (queue: Option.Option<string>, now: number) =>
      sql<{ readonly id: string }>`UPDATE ${table} SET state = 'ready', due = ${now}, attempts = 0, ended_at = NULL
        WHERE state = 'failed' ${Option.match(queue, {
          onNone: () => sql.literal(""),
          onSome: (name) => sql`AND queue = ${name}`
        })} RETURNING id`,
    payloads: (name: string) =>
      sql<{ readonly payload: string }>`SELECT payload FROM ${table} WHERE name = ${name} AND ended_at IS NULL
        ORDER BY created_at, id`,
    find: (id: string) => sql<Row>`SELECT ${columns} FROM ${table} WHERE id = ${id}`,
    list: (state: State | undefined, queue: string | undefined, limit: number) =>
      sql<Row>`SELECT ${columns} FROM ${table} WHERE ${sql.and([
        state === undefined ? sql`1 = 1` : sql`state = ${state}`,
        queue === undefined ? sql`1 = 1` : sql`queue = ${queue}`
      ])} ORDER BY created_at DESC, id DESC LIMIT ${limit}`,
    counts: sql<{ readonly queue: string; readonly state: State; readonly jobs: unknown }>`
      SELECT queue, state, COUNT(*) AS jobs FROM ${table} GROUP BY queue, state`,
    nextDue: sql<{ readonly due: unknown }>`SELECT MIN(due) AS due FROM (
      SELECT MIN(due) AS due FROM ${table} WHERE state = 'waiting'
      UNION ALL SELECT MIN(due) AS due FROM ${table} WHERE state = 'running'
    ) AS times`,
    oldest: sql<{ readonly due: unknown }>`SELECT MIN(due) AS due FROM ${table} WHERE state = 'ready'`,
    sweep: (done: number, others: number, most: number) =>
      sql<{ readonly id: string }>`DELETE FROM ${table} WHERE id IN (
        SELECT id FROM ${table} WHERE ended_at IS NOT NULL AND (ended_at <= ${others} OR (state = 'done' AND ended_at <= ${done}))
        LIMIT ${most} ${skipLocked}
      ) RETURNING id`
  }
}

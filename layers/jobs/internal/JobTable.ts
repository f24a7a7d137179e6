// The statements of the queue, on both databases.
import type { SqlClient, Statement } from "@effect/sql"
import type { JobInfo, NewJob, State } from "../../../src/jobs/Jobs.ts"
import type { Claim } from "../../../src/jobs/internal/JobStore.ts"
import * as TraceContext from "../../../src/http/internal/TraceContext.ts"
import * as Transaction from "../../database/internal/Transaction.ts"
import type * as Tables from "../../database/Tables.ts"
import type { Stored } from "./SealedPayload.ts"

/** A claimed row. */
interface ClaimedRow {
  readonly id: string
  readonly name: string
  readonly payload: string
  readonly attempts: number
  readonly priority: number
  readonly reason: string | null
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

// What stands on a row whose worker has ended without a word.
const lost = "The worker of the last attempt was lost"

export const claimOf = (lease: string, { attempts, id, name, payload, reason, traceparent }: ClaimedRow): Claim => ({
  id,
  lease,
  name,
  payload,
  attempts: Number(attempts),
  isAfterLoss: reason === lost,
  traceparent: traceparent ?? undefined
})

// Half of a pair is no text: both databases would store something else, and the key would not be found again. PostgreSQL
// refuses a text with a zero.
const text = (given: string): string => given.replaceAll(/[\p{Surrogate}\0]/gu, "\uFFFD")

// PostgreSQL refuses a part of a millisecond, and no date is later.
const time = (millis: number): number => Math.min(Math.ceil(millis), 8.64e15)

/** A row with its id, as it is inserted. */
export const inserted = (id: string, now: number, job: NewJob, { key, payload }: Stored) => ({
  id,
  name: job.name,
  queue: job.queue,
  priority: job.priority,
  payload,
  key_id: key ?? null,
  state: job.due === undefined ? "ready" : "waiting",
  attempts: 0,
  due: time(job.due ?? now),
  unique_key: job.unique === undefined ? null : text(job.unique.key),
  unique_until: job.unique?.until ?? null,
  traceparent: job.traceparent ?? null,
  created_at: now
})

/** The parameters by which a statement tells what these claims hold. */
export const proofOf = (claims: ReadonlyArray<Claim>): readonly [ids: string, proofs: string] => [
  JSON.stringify(claims.map(({ id }) => id)),
  JSON.stringify(claims.map(({ id, lease }) => `${id} ${lease}`))
]

export const make = (sql: SqlClient.SqlClient, tables: Tables.Tables, notify: Statement.Fragment = sql.literal("")) => {
  const [table, paused] = [sql(tables.jobs), sql(tables.pausedQueues)]
  const columns = sql.literal("id, name, queue, state, attempts, due, created_at, ended_at, reason, traceparent")
  // The words of its index.
  const unsuccessful = sql.literal("state IN ('failed', 'discarded', 'cancelled')")

  type Inserted = ReturnType<typeof inserted>
  const given = sql.literal(
    "id, name, queue, priority, payload, key_id, state, attempts, due, unique_key, unique_until, traceparent, created_at"
  )
  const types = sql.literal(
    `id TEXT, name TEXT, queue TEXT, priority INTEGER, payload TEXT, key_id INTEGER, state TEXT, attempts INTEGER,
     due BIGINT, unique_key TEXT, unique_until TEXT, traceparent TEXT, created_at BIGINT`
  )
  // PostgreSQL reads one parameter in half of the time of thousands.
  const values = (rows: ReadonlyArray<Inserted>): Statement.Fragment =>
    sql.onDialectOrElse({
      pg: () => sql`(${given}) SELECT ${given} FROM json_to_recordset(${JSON.stringify(rows)}::json) AS job (${types})`,
      orElse: () => sql`${sql.insert(rows)}`
    })
  const onKey = sql.literal("ON CONFLICT (name, unique_key) WHERE unique_key IS NOT NULL AND ended_at IS NULL DO")
  // Another job may have the key of one that has ended, or started, by now.
  const isFree = (
    key: "started_key" | "unique_key"
  ) => sql`(${sql(key)} IS NULL OR NOT EXISTS (SELECT 1 FROM ${table} AS other
    WHERE other.name = ${table}.name AND other.unique_key = ${table}.${sql(key)} AND other.ended_at IS NULL))`
  // What is given back has not started: it has its key again.
  const givenBack = sql`attempts = attempts - 1,
    unique_key = COALESCE(unique_key, CASE WHEN ${isFree("started_key")} THEN started_key END)`

  const ofQueue = (queue: string | undefined) => (queue === undefined ? sql.literal("") : sql`AND queue = ${queue}`)

  // => UPDATE … WHERE id = ANY(ARRAY(SELECT … WHERE state = 'ready' AND queue = ? ORDER BY priority, due, id LIMIT ? …))
  const claim = (queue: string, most: number, lease: string, until: number) =>
    sql<ClaimedRow>`UPDATE ${table} SET state = 'running', lease = ${lease}, due = ${until}, attempts = attempts + 1,
        unique_key = CASE WHEN unique_until = 'started' THEN NULL ELSE unique_key END,
        started_key = CASE WHEN unique_until = 'started' THEN unique_key END
      WHERE ${Transaction.isPicked(
        sql,
        sql`SELECT id FROM ${table} WHERE state = 'ready' AND queue = ${queue}
          AND NOT EXISTS (SELECT 1 FROM ${paused} WHERE name = ${queue})
          ORDER BY priority, due, id LIMIT ${most}`
      )}
      RETURNING id, name, payload, attempts, priority, reason, traceparent`

  // A lost worker has spent an attempt: a job that ends its process every time must end, too.
  const promote = (state: "waiting" | "running", now: number) =>
    sql<{ readonly id: string }>`UPDATE ${table} SET state = 'ready', lease = NULL,
        reason = ${state === "running" ? lost : sql.literal("reason")}
      WHERE ${Transaction.isPicked(
        sql,
        sql`SELECT id FROM ${table} WHERE state = ${sql.literal(`'${state}'`)} AND due <= ${now} ORDER BY due LIMIT 1000`
      )}
      RETURNING id`

  // One parameter, so that the text is the same for any number of them.
  const anyOf = (list: string) =>
    sql.onDialectOrElse({
      pg: () => sql`= ANY(ARRAY(SELECT json_array_elements_text(${list}::json)))`,
      orElse: () => sql`IN (SELECT value FROM json_each(${list}))`
    })
  const held = (claims: ReadonlyArray<Claim>) => {
    const [ids, proofs] = proofOf(claims)
    return sql`id ${anyOf(ids)} AND state = 'running' AND id || ' ' || lease ${anyOf(proofs)}`
  }

  // What is returned of ten thousand rows takes SQLite a quarter of their insert.
  const told = sql.onDialectOrElse({ pg: () => sql`RETURNING id${notify}`, orElse: () => sql.literal("") })

  return {
    /** Rows without a key, which are all stored. */
    insert: (rows: ReadonlyArray<Inserted>) => sql`INSERT INTO ${table} ${values(rows)} ${told}`,
    insertUnique: (rows: ReadonlyArray<Inserted>) =>
      sql<{ readonly id: string }>`INSERT INTO ${table} ${values(rows)} ${onKey} NOTHING RETURNING id${notify}`,
    // Only what has not started can be replaced.
    replace: (rows: ReadonlyArray<Inserted>) =>
      sql<{ readonly id: string; readonly unique_key: string }>`INSERT INTO ${table} AS known ${values(rows)}
        ${onKey} UPDATE SET payload = excluded.payload, key_id = excluded.key_id, state = excluded.state, due = excluded.due,
          priority = excluded.priority, queue = excluded.queue, traceparent = excluded.traceparent, attempts = 0
        WHERE known.state IN ('ready', 'waiting') RETURNING id, unique_key${notify}`,
    claim,
    promote,
    renew: (claims: ReadonlyArray<Claim>, until: number) =>
      sql<{ readonly id: string }>`UPDATE ${table} SET due = ${until} WHERE ${held(claims)} RETURNING id`,
    done: (claims: ReadonlyArray<Claim>, now: number, erase: boolean) =>
      sql<{ readonly id: string }>`UPDATE ${table} SET state = 'done', ended_at = ${now}, lease = NULL,
        reason = NULL, payload = ${sql.literal(erase ? "''" : "payload")} WHERE ${held(claims)} RETURNING id`,
    ended: (claim: Claim, state: "failed" | "discarded", now: number, reason: string) =>
      sql<{ readonly id: string }>`UPDATE ${table} SET state = ${state}, ended_at = ${now}, lease = NULL,
        reason = ${text(reason)} WHERE ${held([claim])} RETURNING id`,
    later: (claim: Claim, due: number, counted: boolean, reason: string | null) =>
      sql<{ readonly id: string }>`UPDATE ${table} SET state = 'waiting', due = ${time(due)}, lease = NULL,
        ${counted ? sql.literal("") : sql`${givenBack},`} reason = ${reason === null ? null : text(reason)}
        WHERE ${held([claim])} RETURNING id`,
    running: (queue: string) =>
      sql<{
        readonly jobs: unknown
      }>`SELECT COUNT(*) AS jobs FROM ${table} WHERE state = 'running' AND queue = ${queue}`,
    cancel: (id: string, now: number) =>
      sql<{ readonly id: string }>`UPDATE ${table} SET state = 'cancelled', ended_at = ${now}
        WHERE id = ${id} AND state IN ('waiting', 'ready') RETURNING id`,
    retry: (id: string, now: number) =>
      sql<{ readonly id: string }>`UPDATE ${table} SET state = 'ready', due = ${now}, attempts = 0, ended_at = NULL
        WHERE id = ${id} AND state IN ('failed', 'discarded', 'cancelled') AND payload <> '' AND ${isFree("unique_key")}
        RETURNING id`,
    retryFailed: (queue: string | undefined, now: number) =>
      sql<{ readonly id: string }>`UPDATE ${table} SET state = 'ready', due = ${now}, attempts = 0, ended_at = NULL
        WHERE ${unsuccessful} AND state = 'failed' AND unique_key IS NULL ${ofQueue(queue)} RETURNING id`,
    failedUnique: (queue: string | undefined) =>
      sql<{ readonly id: string }>`SELECT id FROM ${table} WHERE ${unsuccessful} AND state = 'failed'
        AND unique_key IS NOT NULL ${ofQueue(queue)} ORDER BY id DESC`,
    payloads: (name: string) =>
      sql<{ readonly payload: string }>`SELECT payload FROM ${table} WHERE name = ${name} AND ended_at IS NULL
        ORDER BY created_at, id`,
    find: (id: string) => sql<Row>`SELECT ${columns} FROM ${table} WHERE id = ${id}`,
    list: (state: State | undefined, queue: string | undefined, limit: number) =>
      sql<Row>`SELECT ${columns} FROM ${table} WHERE ${sql.and([
        state === undefined ? sql`1 = 1` : sql`state = ${state}`,
        queue === undefined ? sql`1 = 1` : sql`queue = ${queue}`
      ])} ORDER BY created_at DESC, id DESC LIMIT ${limit}`,
    // What is due counts as ready, although no worker is there to say so.
    counts: (now: number) => sql<{ readonly queue: string; readonly state: State; readonly jobs: unknown }>`
      SELECT queue, CASE WHEN state IN ('waiting', 'running') AND due <= ${now} THEN 'ready' ELSE state END AS state,
        COUNT(*) AS jobs FROM ${table} GROUP BY 1, 2 ORDER BY 1, 2`,
    // Each state by its own index: millions that are done cost nothing.
    depths: (now: number) => {
      const state = sql`CASE WHEN due <= ${now} THEN 'ready' ELSE state END`
      return sql<{ readonly queue: string; readonly state: State; readonly jobs: unknown }>`
        SELECT queue, state, SUM(jobs) AS jobs FROM (
          SELECT queue, 'ready' AS state, COUNT(*) AS jobs FROM ${table} WHERE state = 'ready' GROUP BY 1
          UNION ALL SELECT queue, ${state}, COUNT(*) FROM ${table} WHERE state = 'waiting' GROUP BY 1, 2
          UNION ALL SELECT queue, ${state}, COUNT(*) FROM ${table} WHERE state = 'running' GROUP BY 1, 2
          UNION ALL SELECT queue, state, COUNT(*) FROM ${table} WHERE ${unsuccessful} GROUP BY 1, 2
        ) AS parts GROUP BY 1, 2 ORDER BY 1, 2`
    },
    look: (queues: ReadonlyArray<string>) =>
      sql<{ readonly due: unknown; readonly ready: unknown }>`SELECT MIN(due) AS due,
        EXISTS (SELECT 1 FROM ${table} WHERE state = 'ready' AND ${sql.in("queue", queues)}) AS ready FROM (
        SELECT MIN(due) AS due FROM ${table} WHERE state = 'waiting'
        UNION ALL SELECT MIN(due) AS due FROM ${table} WHERE state = 'running'
      ) AS times`,
    nextReady: (queue?: string, afterPriority?: number, afterQueue?: string) =>
      sql<{ readonly queue: string; readonly priority: number; readonly due: unknown }>`
        SELECT queue, priority, due FROM ${table} WHERE ${sql.and([
          sql`state = 'ready'`,
          ...(queue === undefined ? [] : [sql`queue = ${queue}`]),
          ...(afterPriority === undefined ? [] : [sql`priority > ${afterPriority}`]),
          ...(afterQueue === undefined ? [] : [sql`queue > ${afterQueue}`])
        ])} ORDER BY queue, priority, due, id LIMIT 1`,
    oldestLate: (queue: string | undefined, now: number) =>
      sql<{ readonly due: unknown }>`SELECT MIN(due) AS due FROM (
        SELECT MIN(due) AS due FROM ${table} WHERE state = 'waiting' AND due <= ${now} ${ofQueue(queue)}
        UNION ALL SELECT MIN(due) AS due FROM ${table} WHERE state = 'running' AND due <= ${now} ${ofQueue(queue)}
      ) AS times`,
    sweep: (done: number, others: number, most: number) =>
      sql<{ readonly id: string }>`DELETE FROM ${table} WHERE ${Transaction.isPicked(
        sql,
        sql`SELECT id FROM ${table} WHERE ended_at IS NOT NULL
          AND (ended_at <= ${others} OR (state = 'done' AND ended_at <= ${done})) LIMIT ${most}`
      )} RETURNING id`
  }
}

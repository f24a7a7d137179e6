// Moves messages that a process of the version before still stores in the table of its queue. To be removed with the next one.
import { SqlClient } from "@effect/sql"
import { Clock, Effect, Layer, Schedule } from "effect"
import { MailJob } from "../../../src/mail/internal/MailJob.ts"
import * as Transaction from "../../database/internal/Transaction.ts"
import type * as Tables from "../../database/Tables.ts"

interface Row {
  readonly id: string
  readonly letter: string
  readonly attempts: number
  readonly due: unknown
  readonly failed_at: unknown
  readonly reason: string | null
  readonly created_at: unknown
}

const batch = 500

const jobOf = ({ attempts, created_at, due, failed_at, id, letter, reason }: Row, now: number) => ({
  // The id is in the `Message-ID`, by which a receiver knows a message that is sent twice.
  id,
  name: MailJob.name,
  queue: MailJob.queue,
  priority: MailJob.priority,
  payload: letter,
  state: failed_at !== null ? "failed" : Number(due) > now ? "waiting" : "ready",
  attempts,
  due: Number(due),
  reason,
  created_at: Number(created_at),
  ended_at: failed_at === null ? null : Number(failed_at)
})

/** Makes jobs of the messages that no worker of the version before holds. */
export const move = Effect.fnUntraced(function* (tables: Tables.Tables) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const old = sql(tables.mailQueue)
  const some = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const rows = yield* sql<Row>`DELETE FROM ${old} WHERE ${Transaction.isPicked(
      sql,
      sql`SELECT id FROM ${old} WHERE failed_at IS NOT NULL OR ticket IS NULL OR due <= ${now} LIMIT ${batch}`
    )} RETURNING id, letter, attempts, due, failed_at, reason, created_at`
    if (rows.length > 0) yield* sql`INSERT INTO ${sql(tables.jobs)} ${sql.insert(rows.map((row) => jobOf(row, now)))}`
    return rows.length
  })
  yield* Effect.repeat(Transaction.make(sql)(some), { until: (moved) => moved < batch })
}, Effect.orDie)

/** At the start and every minute: old and new processes run side by side while a program is replaced. */
export const layer = (tables: Tables.Tables): Layer.Layer<never, never, SqlClient.SqlClient> => {
  const moved = move(tables).pipe(
    Effect.catchAllCause((cause) => Effect.logError("Messages of the old queue cannot be moved", cause)),
    Effect.withTracerEnabled(false)
  )
  return Layer.scopedDiscard(
    Effect.zipRight(moved, Effect.forkScoped(Effect.schedule(moved, Schedule.spaced("1 minute"))))
  )
}

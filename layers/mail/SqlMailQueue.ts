// The mail queue in a table of the database.
import { SqlClient, type SqlError } from "@effect/sql"
import { Clock, Duration, Effect, Layer, Option, Record, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { MailMessage } from "../../src/mail/MailMessage.ts"
import { MailQueue } from "../../src/mail/MailQueue.ts"
import { type Claim, type Counts, decideRetry, type FailedMessage } from "../../src/mail/internal/QueuedMessage.ts"
import * as TraceContext from "../../src/http/internal/TraceContext.ts"
import * as Tracing from "../../src/observability/internal/Tracing.ts"
import type * as Tables from "../database/Tables.ts"
import * as Transaction from "../database/internal/Transaction.ts"
import { claimOne, overwriteDeleted, queueDefaults } from "./internal/MailQueueTable.ts"

/** The message, and the span that asked for it where spans are collected. */
class TracedMessage extends MailMessage.extend<TracedMessage>("effect-framework/mail/TracedMessage")({
  traceparent: Schema.optional(Schema.String)
}) {}

const StoredMessage = Schema.parseJson(TracedMessage)

/** The tables, when they are not those that the migrations create without options, and the lease of a claim. */
export interface Options {
  readonly tables: Tables.Tables
  readonly lease: Duration.DurationInput
}

const make = Effect.fnUntraced(function* (options: Options) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const name = options.tables.mailQueue
  const table = sql(name)
  const transaction = Transaction.make(sql)
  const leaseMillis = Duration.toMillis(options.lease)
  yield* overwriteDeleted(sql)

  const enqueue = Effect.fnUntraced(
    function* (message: MailMessage) {
      const id = randomUUID()
      const span = yield* Tracing.current
      const traceparent = span === undefined ? undefined : TraceContext.traceparent(span)
      const stored = new TracedMessage({ ...message, ...(traceparent !== undefined && { traceparent }) })
      const text = yield* Effect.orDie(Schema.encode(StoredMessage)(stored))
      const now = yield* Clock.currentTimeMillis
      yield* sql`INSERT INTO ${table} (id, letter, attempts, due, created_at) VALUES (${id}, ${text}, 0, ${now}, ${now})`
      return id
    },
    Effect.orDie,
    Tracing.span("MailQueue.enqueue", { kind: "producer" })
  )

  const enqueueFrom = <E, R>(make: Effect.Effect<MailMessage, E, R>): Effect.Effect<string, E, R> =>
    transaction(Effect.flatMap(make, enqueue))

  const lease = claimOne(sql, name)

  const giveUp = (id: string, leaseToken: string, attempts: number, now: number, reason: string) =>
    sql`UPDATE ${table} SET attempts = ${attempts}, ticket = NULL, failed_at = ${now}, reason = ${reason}
      WHERE id = ${id} AND ticket = ${leaseToken} RETURNING id`

  const postpone = (id: string, leaseToken: string, attempts: number, due: number, reason: string) =>
    sql`UPDATE ${table} SET attempts = ${attempts}, ticket = NULL, due = ${due}, reason = ${reason}
      WHERE id = ${id} AND ticket = ${leaseToken} RETURNING id`

  const claim: Effect.Effect<Option.Option<Claim>, SqlError.SqlError> = Effect.gen(function* () {
    const leaseToken = randomUUID()
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* lease(leaseToken, now, now + leaseMillis)
    if (row === undefined) return Option.none()
    const message = Schema.decodeOption(StoredMessage)(row.letter)
    if (Option.isSome(message)) {
      const { traceparent } = message.value
      const claimed = { id: row.id, leaseToken, attempts: row.attempts, message: message.value }
      return Option.some(traceparent === undefined ? claimed : { ...claimed, traceparent })
    }
    // Written by another version of the program: a retry would not help, and the message must not be lost.
    yield* giveUp(row.id, leaseToken, row.attempts, now, "the stored message cannot be read")
    return yield* claim
  })

  // By id alone: a sent message must not be sent again, even when another worker has the lease by now.
  const markSent = ({ id }: Claim) => sql`DELETE FROM ${table} WHERE id = ${id}`

  const markFailed = Effect.fnUntraced(function* ({ id, leaseToken, attempts }: Claim, reason: string) {
    const now = yield* Clock.currentTimeMillis
    const decision = decideRetry(attempts, now)
    const rows = yield* decision._tag === "GiveUp"
      ? giveUp(id, leaseToken, attempts + 1, now, reason)
      : postpone(id, leaseToken, attempts + 1, decision.due, reason)
    return rows.length === 0 ? Option.none() : Option.some(decision)
  })

  const counts = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* sql<Counts>`
      SELECT COUNT(CASE WHEN failed_at IS NULL AND due <= ${now} THEN 1 END) AS ready,
        COUNT(CASE WHEN failed_at IS NULL AND due > ${now} THEN 1 END) AS delayed,
        COUNT(CASE WHEN failed_at IS NULL AND due > ${now} AND ticket IS NOT NULL THEN 1 END) AS leased,
        COUNT(failed_at) AS failed
      FROM ${table}`
    // A client of the program's own returns a count as text.
    return Record.map(row ?? { ready: 0, delayed: 0, leased: 0, failed: 0 }, Number)
  })

  // => SELECT due … ORDER BY due LIMIT 1: the index of the claims has it first.
  const oldestAge = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* sql<{ readonly due: unknown }>`
      SELECT due FROM ${table} WHERE failed_at IS NULL AND due <= ${now} ORDER BY due, id LIMIT 1`
    return Duration.millis(row === undefined ? 0 : now - Number(row.due))
  })

  const failures = Effect.map(
    sql<FailedMessage>`SELECT id, attempts, failed_at AS "failedAt", reason
    FROM ${table} WHERE failed_at IS NOT NULL ORDER BY failed_at, id`,
    (rows) => rows.map((row) => ({ ...row, failedAt: Number(row.failedAt) }))
  )

  const retryFailed = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const rows = yield* sql`UPDATE ${table} SET attempts = 0, due = ${now}, failed_at = NULL, reason = NULL
      WHERE failed_at IS NOT NULL RETURNING id`
    return rows.length
  })

  return MailQueue.of({
    enqueue,
    enqueueFrom,
    claim: Effect.orDie(claim),
    markSent: (claim) => Effect.orDie(markSent(claim)),
    markFailed: (claim, reason) => Effect.orDie(markFailed(claim, reason)),
    counts: Effect.orDie(counts),
    oldestAge: Effect.orDie(oldestAge),
    failures: Effect.orDie(failures),
    retryFailed: Effect.orDie(retryFailed)
  })
})

/** The queue in the table `mail_queue`. */
export const layer: Layer.Layer<MailQueue, never, SqlClient.SqlClient> = Layer.effect(MailQueue, make(queueDefaults))

/** The queue in other tables, or with another lease. */
export const layerWith = (options: Partial<Options>): Layer.Layer<MailQueue, never, SqlClient.SqlClient> =>
  Layer.effect(MailQueue, make({ ...queueDefaults, ...options }))

// The mail queue as a table of the database.
import { SqlClient, type SqlError } from "@effect/sql"
import { Clock, Duration, Effect, Layer, Option, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { MailMessage } from "../../src/mail/MailMessage.ts"
import { type Claim, type Counts, type Failed, lease, MailQueue, decideRetry } from "../../src/mail/MailQueue.ts"

interface Row {
  readonly id: string
  readonly letter: string
  readonly attempts: number
}

const Stored = Schema.parseJson(MailMessage)

/** Where the queue is, and how long a claim holds. */
export interface Options {
  readonly table: string
  readonly lease: Duration.DurationInput
}

/** The table that the migrations make, and the lease of `MailQueue`. */
export const defaults: Options = { table: "mail_queue", lease }

const make = Effect.fnUntraced(function* (options: Options) {
  const sql = yield* SqlClient.SqlClient
  const table = sql(options.table)
  const term = Duration.toMillis(options.lease)
  yield* wipeDeleted(sql)

  const store = Effect.fnUntraced(function* (letter: MailMessage) {
    const id = randomUUID()
    const text = yield* Effect.orDie(Schema.encode(Stored)(letter))
    const now = yield* Clock.currentTimeMillis
    yield* sql`INSERT INTO ${table} (id, letter, attempts, due, created_at) VALUES (${id}, ${text}, 0, ${now}, ${now})`
    return id
  }, Effect.orDie)

  // What `make` fails with stays its own, also when that is a failure of the database; only ours is a defect.
  const storeFrom = <E, R>(make: Effect.Effect<MailMessage, E, R>): Effect.Effect<string, E, R> =>
    make.pipe(
      Effect.mapError((error) => ({ own: error })),
      Effect.flatMap(store),
      sql.withTransaction,
      Effect.catchAll((error) => ("own" in error ? Effect.fail(error.own) : Effect.die(error)))
    )

  const take = claiming(sql, options.table)

  const giveUp = (id: string, leaseToken: string, attempts: number, now: number, reason: string) =>
    sql`UPDATE ${table} SET attempts = ${attempts}, ticket = NULL, failed_at = ${now}, reason = ${reason}
      WHERE id = ${id} AND ticket = ${leaseToken} RETURNING id`

  const postpone = (id: string, leaseToken: string, attempts: number, due: number, reason: string) =>
    sql`UPDATE ${table} SET attempts = ${attempts}, ticket = NULL, due = ${due}, reason = ${reason}
      WHERE id = ${id} AND ticket = ${leaseToken} RETURNING id`

  const claim: Effect.Effect<Option.Option<Claim>, SqlError.SqlError> = Effect.gen(function* () {
    const leaseToken = randomUUID()
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* take(leaseToken, now, now + term)
    if (row === undefined) return Option.none()
    const letter = Schema.decodeOption(Stored)(row.letter)
    if (Option.isSome(letter))
      return Option.some({ id: row.id, leaseToken, attempts: row.attempts, message: letter.value })
    // Written by another version of the program: trying again would not help, losing it would be worse.
    yield* giveUp(row.id, leaseToken, row.attempts, now, "the stored letter cannot be read")
    return yield* claim
  })

  // By id alone: a letter that is out is out, whoever holds it by now.
  const sent = ({ id }: Claim) => sql`DELETE FROM ${table} WHERE id = ${id}`

  const failed = Effect.fnUntraced(function* ({ id, leaseToken, attempts }: Claim, reason: string) {
    const now = yield* Clock.currentTimeMillis
    const fate = decideRetry(attempts, now)
    const rows = yield* fate._tag === "GivenUp"
      ? giveUp(id, leaseToken, attempts + 1, now, reason)
      : postpone(id, leaseToken, attempts + 1, fate.due, reason)
    return rows.length === 0 ? Option.none() : Option.some(fate)
  })

  const counts = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* sql<Counts>`
      SELECT COUNT(CASE WHEN failed_at IS NULL AND due <= ${now} THEN 1 END) AS ready,
        COUNT(CASE WHEN failed_at IS NULL AND due > ${now} THEN 1 END) AS delayed,
        COUNT(CASE WHEN failed_at IS NULL AND due > ${now} AND ticket IS NOT NULL THEN 1 END) AS held,
        COUNT(failed_at) AS failed
      FROM ${table}`
    return row ?? { ready: 0, delayed: 0, held: 0, failed: 0 }
  })

  const failures = sql<Failed>`SELECT id, attempts, failed_at AS since, reason
    FROM ${table} WHERE failed_at IS NOT NULL ORDER BY failed_at, id`

  const retry = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const rows = yield* sql`UPDATE ${table} SET attempts = 0, due = ${now}, failed_at = NULL, reason = NULL
      WHERE failed_at IS NOT NULL RETURNING id`
    return rows.length
  })

  return MailQueue.of({
    store,
    storeFrom,
    claim: Effect.orDie(claim),
    sent: (claim) => Effect.orDie(sent(claim)),
    failed: (claim, reason) => Effect.orDie(failed(claim, reason)),
    counts: Effect.orDie(counts),
    failures: Effect.orDie(failures),
    retry: Effect.orDie(retry)
  })
})

/** The queue in the table `mail_queue`. */
export const layer: Layer.Layer<MailQueue, never, SqlClient.SqlClient> = Layer.effect(MailQueue, make(defaults))

/** The queue in a table of another name, or with another lease. */
export const layerWith = (options: Partial<Options>): Layer.Layer<MailQueue, never, SqlClient.SqlClient> =>
  Layer.effect(MailQueue, make({ ...defaults, ...options }))

/**
 * The statement that takes one letter. SQLite lets one statement write at a time; PostgreSQL steps over rows that
 * another claim is just taking.
 */
export const claiming = (sql: SqlClient.SqlClient, table: string) => {
  const skipTaken = sql.literal(sql.onDialectOrElse({ pg: () => "FOR UPDATE SKIP LOCKED", orElse: () => "" }))
  return (leaseToken: string, now: number, due: number) =>
    sql<Row>`UPDATE ${sql(table)} SET ticket = ${leaseToken}, due = ${due}
      WHERE id = (
        SELECT id FROM ${sql(table)} WHERE failed_at IS NULL AND due <= ${now} ORDER BY due, id LIMIT 1 ${skipTaken}
      )
      RETURNING id, letter, attempts`
}

// SQLite leaves deleted text in the file until its page is used again: the link of a sent letter would survive there.
const wipeDeleted = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    sqlite: () => Effect.orDie(sql`PRAGMA secure_delete = ON`),
    orElse: () => Effect.void
  })

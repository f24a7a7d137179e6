// Messages about changes of an account that wait, in the database.
import { SqlClient, type Statement } from "@effect/sql"
import { Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { type Change, collected, kept, lease, Notices } from "../../../src/auth/internal/Notices.ts"
import { MailMessage } from "../../../src/mail/MailMessage.ts"
import { Mailer } from "../../../src/mail/Mailer.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import * as SecureDelete from "../../database/internal/SecureDelete.ts"
import * as Transaction from "../../database/internal/Transaction.ts"
import type * as Tables from "../../database/Tables.ts"
import { sha256 } from "../../session/internal/Digest.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import * as ExpiredRows from "../../session/internal/ExpiredRows.ts"

interface Row {
  readonly id: string
  readonly letter: string
  readonly changes: string
  readonly token: string
}

const Letter = Schema.parseJson(MailMessage)

const encode = (message: MailMessage) => Effect.orDie(Schema.encode(Letter)(message))

/** Messages that one sweep sends at most. */
const mostDue = 100

const make = Effect.fnUntraced(function* (name: string) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const table = sql(name)
  const transaction = Transaction.make(sql)
  yield* SecureDelete.on(sql)

  const insert = Effect.fnUntraced(function* (row: Row, delay: Duration.Duration, conflict = sql``) {
    const now = yield* EpochSeconds.seconds
    const times = { due: now + Duration.toSeconds(delay), created_at: now }
    return yield* Effect.orDie(sql<Row>`INSERT INTO ${table} ${sql.insert({ ...row, ...times })} ${conflict}
      RETURNING id, letter, changes, token`)
  })

  const add = Effect.fnUntraced(function* (message: MailMessage) {
    const id = randomUUID()
    yield* insert({ id, letter: yield* encode(message), changes: "", token: "" }, Duration.zero)
    return id
  })

  // The insert holds the row until the end of the transaction: the next change waits for this one, and finds its line.
  const collect = <E, R>({ compose, line, mint, to, user }: Change<E, R>) =>
    Effect.gen(function* () {
      const id = sha256(`${user}\0${to}`)
      const before = sql(`${name}.changes`)
      const rows = yield* insert(
        { id, letter: "", changes: line, token: "" },
        collected,
        sql`ON CONFLICT (id) DO UPDATE SET changes = ${before} || ${"\n"} || excluded.changes`
      )
      const { changes = line, token: known = "" } = rows[0] ?? {}
      const token = known === "" ? yield* mint : Redacted.make(known)
      const letter = yield* Effect.flatMap(compose(changes.split("\n"), token), encode)
      yield* Effect.orDie(
        sql`UPDATE ${table} SET letter = ${letter}, token = ${Redacted.value(token)} WHERE id = ${id}`
      )
    }).pipe(transaction)

  // A fresh id for each claim: it ends the collection, and one whose lease has expired cannot delete the message.
  const claim = Effect.fnUntraced(function* (which: Statement.Fragment) {
    const now = yield* EpochSeconds.seconds
    const [row] = yield* Effect.orDie(sql<Row>`UPDATE ${table}
      SET id = ${randomUUID()}, due = ${now + Duration.toSeconds(lease)}
      WHERE ${Transaction.isPicked(sql, sql`SELECT id FROM ${table} WHERE ${which} AND due <= ${now} ORDER BY due, id LIMIT 1`)}
      RETURNING id, letter, changes, token`)
    return row
  })

  const deliver = Effect.fnUntraced(function* (which: Statement.Fragment) {
    const row = yield* claim(which)
    if (row === undefined) return false
    const message = Schema.decodeOption(Letter)(row.letter)
    if (Option.isSome(message)) yield* Effect.flatMap(Mailer, (mailer) => mailer.send(message.value))
    else yield* Effect.logError("A notice of another version cannot be read, and is not sent")
    yield* Effect.orDie(sql`DELETE FROM ${table} WHERE id = ${row.id}`)
    return true
  })

  const delivered = (which: Statement.Fragment) =>
    Effect.catchTag(deliver(which), "MailDeliveryError", ({ message }) =>
      Effect.as(Effect.logWarning(`${message}; the next sweep tries again`), false)
    )

  const sendDue = Effect.gen(function* () {
    let count = 0
    while (count < mostDue && (yield* delivered(sql`1 = 1`))) count++
    return count
  })

  const service = Notices.of({
    add,
    collect,
    send: (id) => Effect.asVoid(delivered(sql`id = ${id}`)),
    sendDue,
    sweep: ExpiredRows.sweep(sql, name, "id", { column: "created_at", seconds: Duration.toSeconds(kept) })
  })
  return yield* Tracing.methods("Notices", service)
})

/** Notices in the table that the migrations create. */
export const layer = (tables: Tables.Tables): Layer.Layer<Notices, never, SqlClient.SqlClient> =>
  Layer.effect(Notices, make(tables.notices))

// The queue's table: its defaults, and the statements that depend on the database.
import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import * as Tables from "../../database/Tables.ts"
import * as Transaction from "../../database/internal/Transaction.ts"
import { lease } from "../../../src/mail/internal/QueuedMessage.ts"

/** The table that the migrations create, and the lease of a claim. */
export const queueDefaults = { tables: Tables.defaults, lease } as const

/** A claimed row; `letter` holds the message as JSON. */
export interface Row {
  readonly id: string
  readonly letter: string
  readonly attempts: number
}

/** The statement that leases one message. */
export const claimOne = (sql: SqlClient.SqlClient, table: string) => {
  const skipLocked = Transaction.skipLocked(sql)
  return (leaseToken: string, now: number, due: number) =>
    sql<Row>`UPDATE ${sql(table)} SET ticket = ${leaseToken}, due = ${due}
      WHERE id = (
        SELECT id FROM ${sql(table)} WHERE failed_at IS NULL AND due <= ${now} ORDER BY due, id LIMIT 1 ${skipLocked}
      )
      RETURNING id, letter, attempts`
}

/** Without it, SQLite leaves deleted text in the file until its page is reused, and with it the link of a message. */
export const overwriteDeleted = (sql: SqlClient.SqlClient): Effect.Effect<void> =>
  sql.onDialectOrElse({
    sqlite: () => Effect.asVoid(Effect.orDie(sql`PRAGMA secure_delete = ON`)),
    orElse: () => Effect.void
  })

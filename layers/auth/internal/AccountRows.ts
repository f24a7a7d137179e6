// The ids and the rows of an account in the tables of the framework.
import type { SqlClient, Statement } from "@effect/sql"
import { Effect, Option } from "effect"
import { maxName } from "../../../src/auth/internal/Form.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import { storable } from "../../../src/session/internal/StorableText.ts"

/** The first row of a statement; an error of the database is a defect. */
export const first = <A>(statement: Effect.Effect<ReadonlyArray<A>, unknown>): Effect.Effect<Option.Option<A>> =>
  Effect.map(Effect.orDie(statement), ([row]) => Option.fromNullable(row))

/** Whether a statement has returned a row: of concurrent ones that take the same row, one has. */
export const touched = (statement: Effect.Effect<ReadonlyArray<unknown>, unknown>): Effect.Effect<boolean> =>
  Effect.map(Effect.orDie(statement), (rows) => rows.length > 0)

/** The name that its owner gave, as it is stored. */
export const nameOf = (given: string): string => storable(given.slice(0, maxName))

/** Deletes all rows of an account, or those of them that the condition holds for; returns how many. */
export const remove = (
  sql: SqlClient.SqlClient,
  table: string,
  user: AccountId,
  condition?: Statement.Fragment
): Effect.Effect<number> => {
  const which = condition === undefined ? sql`` : sql` AND ${condition}`
  const gone = sql`DELETE FROM ${sql(table)} WHERE user_id = ${user}${which} RETURNING user_id`
  return Effect.map(Effect.orDie(gone), ({ length }) => length)
}

/** The condition on rows that were made since this time, in epoch seconds; none without one. */
export const since = (sql: SqlClient.SqlClient, time: number | undefined): Statement.Fragment | undefined =>
  time === undefined ? undefined : sql`created_at >= ${time}`

/** A UUID of version 7: later ones sort after earlier ones. Takes ten random bytes. */
export const uuid7 = (millis: number, random: Uint8Array): string => {
  const byte = (index: number) => (random[index] ?? 0).toString(16).padStart(2, "0")
  const time = Math.floor(millis).toString(16).padStart(12, "0")
  const version = `7${byte(0).slice(1)}${byte(1)}`
  const variant = `${((parseInt(byte(2), 16) & 0x3f) | 0x80).toString(16)}${byte(3)}`
  const rest = [4, 5, 6, 7, 8, 9].map(byte).join("")
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${rest}`
}

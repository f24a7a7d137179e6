// The rows of an account in a table of the framework.
import type { SqlClient, Statement } from "@effect/sql"
import { Effect } from "effect"
import type { AccountId } from "../../../src/session/Identity.ts"

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

// Numbers the times that sign-ins were revoked, so that none slips through while it happens.
//
// A sign-in looks at its evidence (a password, a remember token), which takes a while, and only then writes its row. A
// revocation in between deletes the rows it sees, and would miss that one. So a sign-in notes the latest number before
// it looks, and asks after it wrote: a higher number under its user means that the evidence may be void.
import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { AccountId } from "../../src/auth/Identity.ts"
import { PreparedStatements } from "../database/PreparedStatements.ts"

interface Numbered {
  readonly number: number
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const prepared = yield* PreparedStatements
  const read = prepared.one(
    sql<Numbered>`SELECT number FROM revocations WHERE number > ${0} ORDER BY number DESC LIMIT 1`
  )
  const first = (rows: ReadonlyArray<Numbered>) => rows[0]?.number ?? 0
  return {
    /** The latest number of all. Whatever is revoked from now on gets a higher one. */
    latest: Effect.map(Effect.orDie(read([0])), (row) => Option.getOrUndefined(row)?.number ?? 0),
    /** A new number for the user, before the rows go. */
    revoke: (user: AccountId) =>
      Effect.map(
        Effect.orDie(sql<Numbered>`INSERT INTO revocations (user_id, number)
          SELECT ${user}, COALESCE(MAX(number), 0) + 1 FROM revocations WHERE number > 0
          ON CONFLICT (user_id) DO UPDATE SET number =
            CASE WHEN revocations.number > excluded.number THEN revocations.number ELSE excluded.number END
          RETURNING number`),
        first
      ),
    /** The user's number. It is written over itself to wait for a revocation whose transaction is still open. */
    numberOf: (user: AccountId) =>
      Effect.map(
        Effect.orDie(sql<Numbered>`INSERT INTO revocations (user_id, number) VALUES (${user}, 0)
          ON CONFLICT (user_id) DO UPDATE SET number = revocations.number RETURNING number`),
        first
      )
  }
})

export type Revocations = Effect.Effect.Success<typeof make>

// Numbers revocations, so that a concurrent sign-in does not survive one.
//
// A sign-in checks its credentials (a password, a remember token), which takes a while, and then inserts its row. A
// revocation in between deletes the rows it sees, and would miss that one. So a sign-in reads the latest number before
// the check, and the user's number after the insert: a higher one means that the credentials may have been revoked.
//
// The numbers have to come in the order in which they become visible. Of two transactions that are open at once, the second
// would read the same latest number: a sign-in that has seen it would not notice the first one.
import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { AccountId } from "../../../src/session/Identity.ts"
import * as PreparedStatements from "../../database/internal/PreparedStatements.ts"
import * as Transaction from "../../database/internal/Transaction.ts"

interface Numbered {
  readonly number: number
}

// The row that every revocation locks; no user has this id.
const everyone = ""

export const make = Effect.fnUntraced(function* (name: string) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const table = sql(name)
  const own = sql(`${name}.number`)
  const prepared = yield* PreparedStatements.orPlain
  const read = prepared.one(sql<Numbered>`SELECT number FROM ${table} WHERE number > ${0} ORDER BY number DESC LIMIT 1`)
  // A client of the program's own returns a `BIGINT` as text.
  const first = (rows: ReadonlyArray<Numbered>) => Number(rows[0]?.number ?? 0)
  const transaction = Transaction.make(sql)
  // The row is written with its own value, to wait for a transaction that has changed it and is still open.
  const numberOf = (user: string) =>
    Effect.map(
      Effect.orDie(sql<Numbered>`INSERT INTO ${table} (user_id, number) VALUES (${user}, 0)
        ON CONFLICT (user_id) DO UPDATE SET number = ${own} RETURNING number`),
      first
    )
  const committed = PreparedStatements.reader(
    prepared,
    (user: string) => sql<Numbered>`SELECT number FROM ${table} WHERE user_id = ${user}`,
    [""]
  )
  const takeNext = (user: AccountId) =>
    Effect.map(
      Effect.orDie(sql<Numbered>`INSERT INTO ${table} (user_id, number)
        SELECT ${user}, COALESCE(MAX(number), 0) + 1 FROM ${table} WHERE number > 0
        ON CONFLICT (user_id) DO UPDATE SET number =
          CASE WHEN ${own} > excluded.number THEN ${own} ELSE excluded.number END
        RETURNING number`),
      first
    )
  return {
    /** The latest number of all users. Every later revocation gets a higher one. */
    latest: Effect.map(Effect.orDie(read([0])), (row) => first(Option.toArray(row))),
    /**
     * A new number for the user, to be taken before the rows are deleted. Revocations of other users wait until its
     * transaction ends.
     */
    revoke: (user: AccountId) => transaction(Effect.zipRight(numberOf(everyone), takeNext(user))),
    /** Holds the row of a user whom a transaction revokes later: in the order of `revoke`, so that neither waits for the other. */
    hold: (user: AccountId) => Effect.zipRight(numberOf(everyone), numberOf(user)),
    /** The user's number; waits for a revocation whose transaction is still open, and inside a transaction holds the row. */
    numberOf: (user: AccountId) => numberOf(user),
    /**
     * The user's number, for what was written and committed just now. SQLite has one writer: a revocation that was open meanwhile
     * has ended, so that it is read without a write of its own.
     */
    numberAfterWrite: sql.onDialectOrElse({
      sqlite: () => (user: AccountId) => Effect.map(Effect.orDie(committed(user)), first),
      orElse: () => (user: AccountId) => numberOf(user)
    }),
    /** Deletes the row of a deleted user who was never revoked: `numberOf` has made it. A revocation stays. */
    dropUnused: (user: AccountId) =>
      Effect.asVoid(Effect.orDie(sql`DELETE FROM ${table} WHERE user_id = ${user} AND number = 0`))
  }
})

export type Revocations = Effect.Effect.Success<ReturnType<typeof make>>

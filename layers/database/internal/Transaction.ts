// A transaction around an effect with failures of its own: the database's are defects, the others roll back and stay typed.
import type { SqlClient, Statement } from "@effect/sql"
import { Cause, type Context, Data, Effect } from "effect"
import * as DatabaseFailure from "../../../src/errors/internal/DatabaseFailure.ts"
import { isInTransaction } from "./PreparedStatements.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

class Failed<E> extends Data.TaggedError("Failed")<{ readonly error: E }> {}

const mostRetries = 3

/**
 * Runs an effect in a transaction of this client; inside another one it is a savepoint. A transaction that the server ends
 * for another one, as in a deadlock, has changed nothing and runs again, up to three times. Only a whole one: the others
 * hold its locks until it ends.
 */
export const make =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const once = Effect.catchAll(
      sql.withTransaction(Effect.mapError(effect, (error) => new Failed({ error }))),
      (failure) => (failure instanceof Failed ? Effect.fail(failure.error) : Effect.die(failure))
    )
    return RequestServices.use((context: Context.Context<R>) => (isInTransaction(context) ? once : retried(once)))
  }

// Stores turn failures of their statements into defects: the whole cause is looked at.
const retried = <A, E, R>(effect: Effect.Effect<A, E, R>, left = mostRetries): Effect.Effect<A, E, R> =>
  Effect.catchAllCause(effect, (cause) =>
    left > 0 && DatabaseFailure.isConflict(Cause.squash(cause))
      ? Effect.zipRight(Effect.logWarning(conflict, cause), retried(effect, left - 1))
      : Effect.failCause(cause)
  )

/** The line of the log for each retry. */
export const conflict = "The database ended a transaction in favour of another one; it runs again"

/**
 * The rows that a statement claims, by a query for their ids. PostgreSQL leaves out those that another claim has locked, and
 * SQLite runs one writing statement at a time. PostgreSQL may run a query inside `IN` again for each row of the table, where
 * it expects few, and so claim all of them: as an array they are picked once.
 */
export const isPicked = (sql: SqlClient.SqlClient, ids: Statement.Fragment): Statement.Fragment =>
  sql.onDialectOrElse({
    pg: () => sql`id = ANY(ARRAY(${ids} FOR UPDATE SKIP LOCKED))`,
    orElse: () => sql`id IN (${ids})`
  })

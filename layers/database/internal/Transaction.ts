// A transaction around an effect with failures of its own: the database's are defects, the others roll back and stay typed.
import type { SqlClient } from "@effect/sql"
import { Data, Effect } from "effect"

class Failed<E> extends Data.TaggedError("Failed")<{ readonly error: E }> {}

/** Runs an effect in a transaction of this client; inside another one it is a savepoint. */
export const make =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.catchAll(sql.withTransaction(Effect.mapError(effect, (error) => new Failed({ error }))), (failure) =>
      failure instanceof Failed ? Effect.fail(failure.error) : Effect.die(failure)
    )

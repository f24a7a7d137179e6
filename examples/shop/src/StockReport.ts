// A job that runs once a day, however many workers and machines there are.
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer, Schedule } from "effect"

/** Writes the report of the day, unless it is there: the primary key decides which worker does. */
export const write = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const day = DateTime.formatIsoDateUtc(yield* DateTime.now)
  const written = yield* sql`INSERT INTO reports (day, orders, stock)
    SELECT ${day}, (SELECT COUNT(*) FROM orders), (SELECT COALESCE(SUM(stock), 0) FROM products) WHERE TRUE
    ON CONFLICT (day) DO NOTHING RETURNING day`
  if (written.length > 0) yield* Effect.log(`The stock report of ${day} is written`)
})

// A failure waits for the next minute: the database may be away.
const tolerant = Effect.catchAllCause(write, (cause) => Effect.logWarning("The stock report failed", cause))

/** Looks every minute whether a day has begun. */
export const layer = Layer.scopedDiscard(Effect.forkScoped(Effect.repeat(tolerant, Schedule.spaced("1 minute"))))

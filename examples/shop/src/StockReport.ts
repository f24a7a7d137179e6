// A job that runs once a day, however many workers and machines there are.
import { SqlClient } from "@effect/sql"
import { DateTime, Effect } from "effect"
import { CronJob } from "effect-framework/jobs"

export const Report = CronJob.make("stock-report", "0 0 * * *", { transactional: true })

/** Writes the report of the day, in the transaction that ends the job. */
export const layer = CronJob.toLayer(Report, ({ at }) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const day = DateTime.formatIsoDateUtc(at)
    yield* sql`INSERT INTO reports (day, orders, stock)
      SELECT ${day}, (SELECT COUNT(*) FROM orders), (SELECT COALESCE(SUM(stock), 0) FROM products) WHERE TRUE
      ON CONFLICT (day) DO NOTHING`
    yield* Effect.log(`The stock report of ${day} is written`)
  })
)

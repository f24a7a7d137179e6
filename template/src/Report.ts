// A periodic job: once a day in the whole fleet, in whichever process is first.
import { SqlClient } from "@effect/sql"
import { DateTime, Effect } from "effect"
import { CronJob } from "effect-framework/jobs"

export const Report = CronJob.make("report", "0 6 * * *")

/** How many notes there are, in the log. `Jobs.enqueue` of `effect-framework/jobs` is for jobs that a request asks for. */
export const layer = CronJob.toLayer(Report, ({ at }) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly notes: unknown }>`SELECT COUNT(*) AS notes FROM notes`
    yield* Effect.logInfo(`${row?.notes} notes on ${DateTime.formatIsoDateUtc(at)}`)
  })
)

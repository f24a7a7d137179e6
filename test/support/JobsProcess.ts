// A program with jobs as a process of its own: `queue run jobs` runs them.
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import * as App from "../../app/App.ts"
import * as CronJob from "../../src/jobs/CronJob.ts"
import * as Job from "../../src/jobs/Job.ts"
import { Exact, table, Twice } from "./JobsOfProcesses.ts"

const write = (name: string, number: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO written ${sql.insert({ name, number })}`)

const services = Layer.mergeAll(
  Job.toLayer(Exact, ({ number }) => write("exact", number)),
  Job.toLayer(Twice, ({ number }) => write("twice", number)),
  CronJob.toLayer(CronJob.every("beat", "1 second"), ({ at }) => write("beat", Math.floor(at.epochMillis / 1000)))
)

App.run({ name: "jobs", pages: [], services, migrations: { "0001_written": table } })

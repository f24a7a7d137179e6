// The jobs that the processes of a test share with it.
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import * as Job from "../../src/jobs/Job.ts"

const payload = Schema.Struct({ number: Schema.Int })

/** Written exactly once. */
export const Exact = Job.make("exact", { payload, transactional: true })

/** Written at least once. */
export const Twice = Job.make("twice", { payload })

export const table = Effect.asVoid(
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE written (name TEXT NOT NULL, number INTEGER NOT NULL)`)
)

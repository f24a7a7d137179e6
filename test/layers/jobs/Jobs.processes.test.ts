// Workers of jobs as real processes on real databases, killed for real.
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Array, Effect, Fiber, Layer, Schedule } from "effect"
import * as Migrations from "../../../layers/database/Migrations.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as Job from "../../../src/jobs/Job.ts"
import * as Jobs from "../../../src/jobs/Jobs.ts"
import { bundle } from "../../support/Bundle.ts"
import { describeDatabases, TestDatabase } from "../../support/Databases.ts"
import { folder, start } from "../../support/Demo.ts"
import { Exact, table, Twice } from "../../support/JobsOfProcesses.ts"

const script = bundle("JobsProcess.ts")

const worker = Effect.gen(function* () {
  const { url } = yield* TestDatabase
  const storage = yield* folder
  return yield* start([script, "queue", "run", "jobs", "--concurrency", "8"], {
    DATABASE_URL: url,
    STORAGE_DIR: storage,
    FRAMEWORK_ENVIRONMENT: "test"
  })
})

const written = (name: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ readonly number: unknown }>`SELECT number FROM written WHERE name = ${name} ORDER BY number`,
      (rows) => rows.map(({ number }) => Number(number))
    )
  )

const numbers = Array.makeBy(1000, (number) => number)

/** 500 jobs a second, in transactions of 50. */
const arriving = Effect.forEach(
  Array.chunksOf(numbers, 25),
  (some) => {
    const payloads = some.map((number) => ({ number }))
    const both = Effect.zipRight(Jobs.enqueueAll(Exact, payloads), Jobs.enqueueAll(Twice, payloads))
    return Effect.zipRight(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(both)),
      Effect.sleep("100 millis")
    )
  },
  { discard: true }
)

/** Waits until so many are written; a step of 20 ms is a fraction of what a process takes to start. */
const until = (name: string, count: number) =>
  Effect.repeat(written(name), { schedule: Schedule.spaced("20 millis"), until: (rows) => rows.length >= count })

describeDatabases("The processes of jobs", (database) => {
  it.scopedLive("lose none of 500 jobs a second when they are killed, and end transactional ones exactly once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { counts } = yield* Jobs.Jobs
      yield* Migrations.run({ "0001_written": table })
      const all = yield* Effect.fork(arriving)
      for (const part of [100, 300, 500, 700]) {
        const [first, second] = [yield* worker, yield* worker]
        yield* until("exact", part)
        first.signal("SIGKILL")
        second.signal("SIGKILL")
        yield* first.ended
        yield* second.ended
        // As if a minute had passed: what the killed ones held is free again.
        yield* sql`UPDATE jobs SET due = 0 WHERE state = 'running'`
      }
      const last = yield* worker
      yield* Fiber.join(all)
      const open = Effect.map(counts, (rows) =>
        rows.filter(({ state }) => state !== "done").filter(({ jobs }) => jobs > 0)
      )
      yield* Effect.repeat(open, { schedule: Schedule.spaced("50 millis"), until: (rows) => rows.length === 0 })
      last.signal("SIGTERM")
      expect((yield* last.ended).signal).toBeNull()
      expect(yield* written("exact")).toEqual(numbers)
      expect([...new Set(yield* written("twice"))]).toEqual(numbers)
      // A tick is enqueued once, however many processes look.
      const beats = yield* sql<{ readonly payload: string }>`SELECT payload FROM jobs WHERE name = 'beat'`
      expect(beats.length).toBeGreaterThan(0)
      expect(new Set(beats.map(({ payload }) => payload)).size).toBe(beats.length)
    }).pipe(
      Effect.provide(
        Layer.mergeAll(SqlJobs.layer, Job.layerElsewhere(Exact), Job.layerElsewhere(Twice)).pipe(
          Layer.provideMerge(database.layer)
        )
      )
    )
  )
})

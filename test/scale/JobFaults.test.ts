// A worker of jobs whose database breaks at each of its statements in turn, before or after it has run it.
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Duration, Effect, Layer, Logger, Schedule, Schema } from "effect"
import * as JobWorker from "../../layers/jobs/JobWorker.ts"
import * as SqlJobs from "../../layers/jobs/SqlJobs.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Jobs from "../../src/jobs/Jobs.ts"
import { broken, type Fault, unprepared } from "../support/BrokenStatements.ts"
import { describeDatabases } from "../support/Databases.ts"

const Item = Schema.Struct({ number: Schema.Number, key: Schema.Number })
const Troubled = Job.make("troubled", { payload: Item, retry: Schedule.recurs(2) })
const Exact = Job.make("exact", { payload: Item, transactional: true })
const Once = Job.make("once", { payload: Item, unique: { key: ({ key }) => String(key) } })

/** Handlers with an outcome of each kind, on a registry of their own. */
const handlers = (ran: Array<number>) => {
  const once = (number: number) => Effect.sync(() => ran.push(number))
  return Layer.mergeAll(
    // Fails, snoozes or is discarded by its number.
    Job.toLayer(Troubled, ({ number }, { attempt }) =>
      Effect.gen(function* () {
        yield* once(number)
        if (number === 1 && attempt === 1) yield* Effect.fail("no water")
        if (number === 2 && ran.filter((one) => one === 2).length === 1) yield* new Job.Snooze({ delay: Duration.zero })
        if (number === 3) yield* new Job.Discard({ reason: "sold out" })
      })
    ),
    Job.toLayer(Once, ({ number }) => once(number)),
    Job.toLayer(Exact, ({ number }) =>
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO written ${sql.insert({ number })}`)
    )
  )
}

describeDatabases("A worker of jobs", (database) => {
  it.scopedLive("loses no job, and runs transactional ones exactly once, whichever statement fails", () => {
    const ran: Array<number> = []
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { counts } = yield* Jobs.Jobs
      yield* sql`CREATE TABLE written (number INTEGER NOT NULL)`
      let [at, when]: [number, Fault["when"]] = [0, "before"]
      for (;;) {
        yield* sql`DELETE FROM jobs`
        yield* sql`DELETE FROM written`
        ran.length = 0
        const items = [1, 2, 3, 4].map((number) => ({ number, key: 1 }))
        yield* Jobs.enqueueAll(Troubled, items)
        yield* Jobs.enqueueAll(Once, [
          { number: 5, key: 1 },
          { number: 6, key: 1 }
        ])
        yield* Jobs.enqueueAll(Exact, items)
        const { isBroken } = yield* broken(JobWorker.untilIdle(), { at, when })
        // As if a minute had passed: what that worker held is free again.
        yield* sql`UPDATE jobs SET due = 0 WHERE state IN ('running', 'waiting')`
        yield* JobWorker.untilIdle()
        const told = `a fault ${when} statement ${at}`
        expect(yield* counts, told).toEqual([
          { queue: "default", state: "discarded", jobs: 1 },
          { queue: "default", state: "done", jobs: 8 }
        ])
        expect(new Set(ran), told).toEqual(new Set([1, 2, 3, 4, 5]))
        const written = yield* sql<{ readonly number: unknown }>`SELECT number FROM written ORDER BY number`
        expect(
          written.map(({ number }) => Number(number)),
          told
        ).toEqual([1, 2, 3, 4])
        if (isBroken) at++
        else if (when === "before") [at, when] = [0, "after"]
        else break
      }
      expect(at).toBeGreaterThan(10)
    }).pipe(
      Effect.provide(
        handlers(ran).pipe(Layer.provideMerge(unprepared(SqlJobs.layer)), Layer.provideMerge(database.layer))
      ),
      Effect.provide(Logger.remove(Logger.defaultLogger))
    )
  })
})

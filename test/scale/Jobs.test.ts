// The promises of the queue of jobs at numbers that take too long for every change: keys that many race for, and many waiting jobs.
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Clock, Duration, Effect, Layer, Logger, Schema } from "effect"
import * as Tables from "../../layers/database/Tables.ts"
import * as Crons from "../../layers/jobs/internal/Crons.ts"
import * as JobTable from "../../layers/jobs/internal/JobTable.ts"
import * as SqlJobs from "../../layers/jobs/SqlJobs.ts"
import * as CronJob from "../../src/jobs/CronJob.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Jobs from "../../src/jobs/Jobs.ts"
import { JobStore } from "../../src/jobs/internal/JobStore.ts"
import { describeDatabases } from "../support/Databases.ts"
import { explain, planOf } from "../support/Plans.ts"

const Invoice = Job.make("invoice", {
  payload: Schema.Struct({ order: Schema.Number }),
  unique: { key: ({ order }) => String(order) }
})

// By an interval: the calendar has tests of its own, and takes a millisecond for each look.
const Daily = CronJob.every("daily", "1 day")

/** The same numbers in every run. */
const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

const clockAt = (millis: () => number): Clock.Clock =>
  Object.assign(Object.create(Clock.make()) as Clock.Clock, {
    unsafeCurrentTimeMillis: millis,
    currentTimeMillis: Effect.sync(millis)
  })

// The index of those that run is as long as there are workers.
const wholeTable = /"Seq Scan"[^{}]*"Relation Name": "jobs"|SCAN jobs(?! USING (?:COVERING )?INDEX jobs_running)/

/** Tells the planner of a hundred times as many jobs as it has counted. */
const hundredfold = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.asVoid(
        sql`UPDATE pg_class SET reltuples = 100 * reltuples
          WHERE relname LIKE 'jobs%' AND relnamespace = current_schema()::regnamespace`
      ),
    orElse: () =>
      Effect.gen(function* () {
        const rows = yield* sql<{ readonly idx: string; readonly stat: string }>`
          SELECT idx, stat FROM sqlite_stat1 WHERE tbl = 'jobs'`
        for (const { idx, stat } of rows) {
          const more = stat.split(" ").map((rows) => (rows === "1" ? rows : String(100 * Number(rows))))
          yield* sql`UPDATE sqlite_stat1 SET stat = ${more.join(" ")} WHERE idx = ${idx}`
        }
        yield* sql`ANALYZE sqlite_schema`
      })
  })

describeDatabases("The queue of jobs at scale", (database) => {
  const services = Layer.merge(
    Job.layerElsewhere(Invoice),
    CronJob.toLayer(Daily, () => Effect.void)
  ).pipe(Layer.provideMerge(SqlJobs.layer), Layer.provideMerge(database.layer))

  it.scopedLive("enqueues each of 1,000 days once, with 12 workers, clocks up to 10 seconds wrong and kills", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* JobStore
      const chance = random(42)
      let now = Date.parse("2026-01-01T12:00:00Z")
      // A worker dies before a tick is stored, or after it.
      const mortal = JobStore.of({
        ...store,
        tick: (name, at, jobs) => {
          const fate = chance()
          if (fate < 0.1) return Effect.die(new Error("killed before"))
          const stored = store.tick(name, at, jobs)
          return fate < 0.2 ? Effect.zipRight(stored, Effect.die(new Error("killed after"))) : stored
        }
      })
      // A new process remembers nothing.
      const start = Effect.provideService(Crons.make, JobStore, mortal)
      const crons = yield* Effect.replicateEffect(start, 12)
      const clocks = crons.map((_, worker) => clockAt(() => Math.round(now + (worker - 5.5) * (20_000 / 11))))
      const look = (worker: number) =>
        Effect.gen(function* () {
          if (chance() < 0.05) crons[worker] = yield* start
          const round = crons[worker]?.round ?? Effect.void
          yield* Effect.withClock(Effect.provideService(round, JobStore, mortal), clocks[worker] ?? Clock.make())
        })
      const workers = Array.from({ length: 12 }, (_, worker) => worker)
      const lookAll = (some: ReadonlyArray<number>) =>
        Effect.forEach(some, look, { concurrency: "unbounded", discard: true })
      yield* lookAll(workers)
      const first = Date.parse("2026-01-02T00:00:00Z")
      const ticks = Array.from({ length: 1000 }, (_, day) => first + day * 86_400_000)
      for (const tick of ticks) {
        // By some clocks it is time, by others it is not.
        now = tick + (chance() - 0.5) * 20_000
        yield* lookAll(workers.toSorted(() => chance() - 0.5))
        now = tick + 10_001
        yield* lookAll(workers.filter(() => chance() < 0.5))
      }
      yield* lookAll(workers)
      const rows = yield* sql<{ readonly payload: string }>`SELECT payload FROM jobs WHERE name = 'daily'`
      const stored = rows.map(({ payload }) => Date.parse(JSON.parse(payload).at)).toSorted((a, b) => a - b)
      expect(stored).toEqual(ticks)
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)), Effect.provide(services))
  )

  it.scopedLive("keeps one row for each of 1,000 keys that 64 race for, most of whom roll back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const keys = Array.from({ length: 1000 }, (_, order) => ({ order }))
      const parts = Array.from({ length: 50 }, (_, part) => keys.slice(part * 20, part * 20 + 20))
      const race = (part: ReadonlyArray<{ readonly order: number }>) =>
        Effect.forEach(
          Array.from({ length: 64 }, (_, racer) => racer),
          (racer) =>
            Jobs.enqueueAll(Invoice, part).pipe(
              Effect.zipLeft(racer % 4 === 3 ? Effect.void : Effect.fail("rolled back")),
              sql.withTransaction,
              Effect.ignore
            ),
          { concurrency: "unbounded", discard: true }
        )
      yield* Effect.forEach(parts, race, { discard: true })
      const rows = yield* sql<{ readonly unique_key: string }>`SELECT unique_key FROM jobs WHERE name = 'invoice'`
      expect(rows.map(({ unique_key }) => Number(unique_key)).toSorted((a, b) => a - b)).toEqual(
        keys.map(({ order }) => order)
      )
    }).pipe(Effect.provide(services))
  )

  it.scopedLive("asks for jobs by an index without a sort, as the planner sees ten million that wait", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { insert, oldestAge } = yield* Jobs.Jobs
      const store = yield* JobStore
      const row = { name: "tea", queue: "default", payload: "{}", unique: undefined, traceparent: undefined }
      const later = Date.now() + 3_600_000
      for (let part = 0; part < 20; part++) {
        yield* insert(
          Array.from({ length: 5000 }, (_, at) => ({ ...row, priority: at % 3, due: at % 2 === 0 ? undefined : later }))
        )
      }
      yield* sql`ANALYZE`
      yield* hundredfold(sql)
      const [held] = yield* store.claim("default", 1)
      if (held === undefined) return expect.unreachable()
      const statements = JobTable.make(sql, Tables.defaults)
      for (const statement of [
        statements.claim("default", 24, "lease", 1),
        statements.done([held], 1, false),
        statements.later(held, 1, true, "again"),
        statements.renew([held], 1),
        statements.running("default"),
        statements.nextReady("default"),
        statements.nextReady("default", 1),
        statements.nextReady(undefined, undefined, "default")
      ]) {
        // As it is carried out: nothing is made expensive for the explanation.
        const plan = yield* planOf(statement)
        expect(plan.text).not.toMatch(wholeTable)
        expect(plan.sorts, plan.text).toBe(false)
      }
      for (const statement of [statements.promote("waiting", later), statements.promote("running", later)]) {
        const plan = yield* explain(statement)
        expect(plan.isIndexSearch, plan.text).toBe(true)
        expect(plan.sorts, plan.text).toBe(false)
      }
      expect(yield* store.claim("default", 24)).toHaveLength(24)
      expect(Duration.toMillis(yield* oldestAge())).toBeGreaterThan(0)
    }).pipe(Effect.provide(services))
  )
})

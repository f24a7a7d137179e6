// A program with jobs that answers what it is asked: how fast it runs, enqueues, claims and wakes.
import { SqlClient } from "@effect/sql"
import { Effect, Exit, Layer, ManagedRuntime, Option, Schema, Scope } from "effect"
import * as Database from "../../layers/database/Database.ts"
import * as Migrations from "../../layers/database/Migrations.ts"
import * as RunMain from "../../layers/errors/RunMain.ts"
import * as JobWorker from "../../layers/jobs/JobWorker.ts"
import * as SqlJobs from "../../layers/jobs/SqlJobs.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Jobs from "../../src/jobs/Jobs.ts"
import { JobStore } from "../../src/jobs/internal/JobStore.ts"
import { parse } from "../../src/database/internal/DatabaseConfig.ts"
import { answer, rate } from "./Answers.mjs"

const Empty = Job.make("empty", { payload: Schema.Struct({ number: Schema.Number }) })

/** Milliseconds of a clock that all processes of a machine share. */
const shared = () => Number(process.hrtime.bigint()) / 1e6

let onJob: (number: number) => void = () => undefined

const handler = Job.toLayer(Empty, ({ number }) => Effect.sync(() => onJob(number)))

const url = Option.getOrThrow(parse(process.env["DATABASE_URL"] ?? ""))

const runtime = ManagedRuntime.make(
  handler.pipe(
    Layer.provideMerge(SqlJobs.layer),
    Layer.provideMerge(Layer.provideMerge(Migrations.layer, Database.layer(url, { statementTimeout: 0 })))
  )
)

const promised = <A, E>(effect: Effect.Effect<A, E, ManagedRuntime.ManagedRuntime.Context<typeof runtime>>) =>
  runtime.runPromise(effect)

const payloads = (count: number) => Array.from({ length: count }, (_, number) => ({ number }))

const clear = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DELETE FROM jobs`)

const worker = (concurrency: number) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Layer.buildWithScope(JobWorker.layer({ concurrency }), scope)
    return () => promised(Scope.close(scope, Exit.void))
  })

const isSettled = () =>
  promised(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.map(sql`SELECT 1 FROM jobs WHERE state = 'running' LIMIT 1`, (rows) => rows.length === 0)
    )
  )

/** Empty jobs a second. */
const jobs = async (count: number) => {
  await promised(Jobs.enqueueAll(Empty, payloads(count)))
  const start = (done: () => void) => {
    onJob = done
    return promised(worker(24))
  }
  const measured = await rate(count, start, isSettled)
  await promised(clear)
  return measured
}

/** Milliseconds for so many in one transaction. */
const insert = async (count: number) => {
  const rows = payloads(count)
  const began = performance.now()
  await promised(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(Jobs.enqueueAll(Empty, rows))))
  const took = performance.now() - began
  await promised(clear)
  return took
}

const started: Array<readonly [number: number, at: number]> = []

/** Runs jobs from now on, and remembers when each began. */
const work = async () => {
  onJob = (number) => started.push([number, shared()])
  await promised(worker(2))
}

/** When each job that this process ran began. */
const begun = async () => started.splice(0)

// The worker is at rest again, at no moment of its own rhythm.
const pause = Effect.suspend(() => Effect.sleep(20 + Math.random() * 30))

/** When each of so many jobs, one after the other, was asked for. */
const ask = (count: number) =>
  promised(
    Effect.forEach(payloads(count), ({ number }) =>
      Effect.gen(function* () {
        yield* pause
        const at = shared()
        yield* Jobs.enqueue(Empty, { number })
        return [number, at] as const
      })
    )
  )

/**
 * Adds so many that are ready, by one statement, and tells the planner of them; their ids grow with time, as the queue makes
 * them. PostgreSQL alone.
 */
const fill = (count: number) =>
  promised(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO jobs (id, name, queue, priority, payload, state, attempts, due, created_at)
        SELECT ${`${Date.now()}-`} || lpad(n::text, 8, '0'), 'empty', 'default', 0, '{"number":0}', 'ready', 0, n, 0
        FROM generate_series(1, ${count}::int) AS n`
      yield* sql`VACUUM ANALYZE jobs`
    })
  )

/** The milliseconds of claims of 24 jobs each, one after the other; what they claim is settled. */
const claims = (count: number) =>
  promised(
    Effect.gen(function* () {
      const store = yield* JobStore
      const once = Effect.gen(function* () {
        const began = performance.now()
        const claimed = yield* store.claim("default", 24)
        const took = performance.now() - began
        yield* store.settle(claimed.map((claim) => ({ claim, outcome: { _tag: "Done" } as const, erase: false })))
        return took
      })
      return yield* Effect.replicateEffect(once, count)
    })
  )

// As `App.run` runs a worker. The tables are there before the first question.
RunMain.run(
  Effect.gen(function* () {
    yield* Effect.promise(() => promised(Effect.void))
    answer({ jobs, insert, work, begun, ask, fill, claims })
    yield* Effect.never
  })
)

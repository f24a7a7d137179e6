import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Clock, Deferred, Duration, Effect, Exit, Fiber, Layer, Option, Schema, TestClock } from "effect"
import * as JobTable from "../../../layers/jobs/internal/JobTable.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as Tables from "../../../layers/database/Tables.ts"
import * as Job from "../../../src/jobs/Job.ts"
import * as Jobs from "../../../src/jobs/Jobs.ts"
import type { Outcome } from "../../../src/jobs/internal/JobRules.ts"
import { JobStore } from "../../../src/jobs/internal/JobStore.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { explain } from "../../support/Plans.ts"

const Tea = Job.make("tea", { payload: Schema.Struct({ cup: Schema.Number }) })
const Coffee = Job.make("coffee", { payload: Schema.Struct({ cup: Schema.Number }), priority: -1 })
const Invoice = Job.make("invoice", {
  payload: Schema.Struct({ order: Schema.Number, total: Schema.Number }),
  unique: { key: ({ order }) => String(order) }
})
const Digest = Job.make("digest", {
  payload: Schema.Struct({ user: Schema.Number, lines: Schema.Number }),
  unique: { key: ({ user }) => String(user), until: "started", onConflict: "replace" }
})

const elsewhere = Layer.mergeAll(
  Job.layerElsewhere(Tea),
  Job.layerElsewhere(Coffee),
  Job.layerElsewhere(Invoice),
  Job.layerElsewhere(Digest)
)

/** Empties the tables that the tests of one block share. */
const fresh = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.zip(sql`DELETE FROM jobs`, sql`DELETE FROM job_ticks`)
)

const claim = (most = 1, fleet?: number) => Effect.flatMap(JobStore, (store) => store.claim("default", most, fleet))
const settleWith = (claims: Effect.Effect.Success<ReturnType<typeof claim>>, outcome: Outcome) =>
  Effect.flatMap(JobStore, (store) => store.settle(claims.map((one) => ({ claim: one, outcome, erase: true }))))
const done = (claims: Effect.Effect.Success<ReturnType<typeof claim>>) => settleWith(claims, { _tag: "Done" })

describeDatabases("The queue of jobs", (database) => {
  layer(Layer.merge(elsewhere, SqlJobs.layer).pipe(Layer.provideMerge(database.layer)))((it) => {
    it.effect("hands jobs out by priority, then by age, each once", () =>
      Effect.gen(function* () {
        yield* fresh
        yield* Jobs.enqueue(Tea, { cup: 1 })
        yield* TestClock.adjust("1 millis")
        yield* Jobs.enqueueAll(Tea, [{ cup: 2 }, { cup: 3 }])
        yield* Jobs.enqueue(Coffee, { cup: 4 })
        const first = yield* claim(2)
        expect(first.map(({ name, payload }) => [name, payload])).toEqual([
          ["coffee", '{"cup":4}'],
          ["tea", '{"cup":1}']
        ])
        expect((yield* claim(10)).map(({ payload }) => payload).sort()).toEqual(['{"cup":2}', '{"cup":3}'])
        expect(yield* claim(10)).toEqual([])
      })
    )

    it.effect("gives each of many jobs to one of many claimers", () =>
      Effect.gen(function* () {
        yield* fresh
        yield* Jobs.enqueueAll(
          Tea,
          Array.from({ length: 50 }, (_, cup) => ({ cup }))
        )
        const claims = yield* Effect.all(
          Array.from({ length: 30 }, () => claim(3)),
          { concurrency: "unbounded" }
        )
        const ids = claims.flat().map(({ id }) => id)
        expect(ids).toHaveLength(50)
        expect(new Set(ids).size).toBe(50)
      })
    )

    it.effect("belongs to the transaction of the caller", () =>
      Effect.gen(function* () {
        yield* fresh
        const sql = yield* SqlClient.SqlClient
        const failed = yield* Effect.exit(
          sql.withTransaction(Effect.zipRight(Jobs.enqueue(Tea, { cup: 1 }), Effect.fail("no")))
        )
        expect(Exit.isFailure(failed)).toBe(true)
        expect(yield* claim(10)).toEqual([])
        yield* sql.withTransaction(Jobs.enqueue(Tea, { cup: 1 }))
        expect(yield* claim(10)).toHaveLength(1)
      })
    )

    it.effect("stores all of many jobs or none, also where they take more than one statement", () =>
      Effect.gen(function* () {
        yield* fresh
        const sql = yield* SqlClient.SqlClient
        const cups = Array.from({ length: 1001 }, (_, cup) => ({ cup: cup % 1000 }))
        const count = Effect.map(claim(2000), ({ length }) => length)
        yield* sql`CREATE UNIQUE INDEX jobs_once ON jobs (payload)`
        expect(Exit.isFailure(yield* Effect.exit(Jobs.enqueueAll(Tea, cups)))).toBe(true)
        yield* sql`DROP INDEX jobs_once`
        expect(yield* count).toBe(0)
        expect((yield* Jobs.enqueueAll(Tea, cups)).filter(Option.isSome)).toHaveLength(1001)
        expect(yield* count).toBe(1001)
      })
    )

    it.effect("starts a delayed job when it is due, and one whose worker was lost after its lease", () =>
      Effect.gen(function* () {
        yield* fresh
        const { promote } = yield* JobStore
        yield* Jobs.enqueue(Tea, { cup: 1 }, { delay: "1 minute" })
        yield* promote
        expect(yield* claim()).toEqual([])
        yield* TestClock.adjust("1 minute")
        yield* promote
        const [first] = yield* claim()
        expect(first?.attempts).toBe(1)
        yield* TestClock.adjust("59 seconds")
        yield* promote
        expect(yield* claim()).toEqual([])
        yield* TestClock.adjust("1 seconds")
        yield* promote
        const [again] = yield* claim()
        expect(again).toMatchObject({ id: first?.id, attempts: 2 })
        // The first worker comes back: it has nothing to say any more.
        expect(yield* done(first === undefined ? [] : [first])).toEqual([first?.id])
        expect(yield* done(again === undefined ? [] : [again])).toEqual([])
      })
    )

    it.effect("renews a lease and tells which were lost", () =>
      Effect.gen(function* () {
        yield* fresh
        const { promote, renew } = yield* JobStore
        yield* Jobs.enqueueAll(Tea, [{ cup: 1 }, { cup: 2 }])
        const [kept, lost] = yield* claim(2)
        if (kept === undefined || lost === undefined) return expect.unreachable()
        yield* TestClock.adjust("40 seconds")
        expect(yield* renew([kept])).toEqual([])
        yield* TestClock.adjust("40 seconds")
        yield* promote
        yield* claim(1)
        expect(yield* renew([kept, lost])).toEqual([lost.id])
      })
    )

    it.effect("stores every outcome, whatever its time and its reason are", () =>
      Effect.gen(function* () {
        yield* fresh
        const { settle } = yield* JobStore
        const { list } = yield* Jobs.Jobs
        const now = yield* Clock.currentTimeMillis
        yield* Jobs.enqueueAll(Tea, [{ cup: 1 }, { cup: 2 }, { cup: 3 }])
        yield* Jobs.enqueue(Tea, { cup: 4 }, { delay: Duration.millis(1.5) })
        const [one, two, three] = yield* claim(3)
        if (one === undefined || two === undefined || three === undefined) return expect.unreachable()
        const settled = [
          // The sixth delay of the default schedule.
          {
            claim: one,
            outcome: { _tag: "Retried", due: now + 2_869_781.399902, reason: "a\0b" } as const,
            erase: false
          },
          { claim: two, outcome: { _tag: "Snoozed", due: Number.POSITIVE_INFINITY } as const, erase: false },
          { claim: three, outcome: { _tag: "Discarded", reason: "\0" } as const, erase: false }
        ]
        expect(yield* settle(settled)).toEqual([])
        const rows = (yield* list()).toSorted((a, b) => a.due - b.due)
        expect(rows.map(({ due, reason }) => [due, reason])).toEqual([
          [now + 2, undefined],
          [now + 60_000, "\uFFFD"],
          [now + 2_869_782, "a\uFFFDb"],
          [8.64e15, undefined]
        ])
      })
    )

    it.effect("stores the same keys in any order at the same time", () =>
      Effect.gen(function* () {
        yield* fresh
        const invoices = Array.from({ length: 500 }, (_, order) => ({ order, total: 1 }))
        const digests = invoices.map(({ order }) => ({ user: order, lines: 1 }))
        for (const all of [
          [Jobs.enqueueAll(Invoice, invoices), Jobs.enqueueAll(Invoice, invoices.toReversed())],
          [Jobs.enqueueAll(Digest, digests), Jobs.enqueueAll(Digest, digests.toReversed())]
        ]) {
          for (let round = 0; round < 5; round++) {
            yield* Effect.all([...all, ...all], { concurrency: "unbounded", discard: true })
            yield* fresh
          }
        }
      })
    )

    it.effect("keeps one row for the key of a unique job until it has ended", () =>
      Effect.gen(function* () {
        yield* fresh
        const racers = Array.from({ length: 64 }, (_, total) => Jobs.enqueue(Invoice, { order: 7, total }))
        const ids = yield* Effect.all(racers, { concurrency: "unbounded" })
        expect(ids.filter(Option.isSome)).toHaveLength(1)
        const claimed = yield* claim(10)
        expect(claimed).toHaveLength(1)
        expect(yield* Jobs.enqueue(Invoice, { order: 7, total: 0 })).toEqual(Option.none())
        yield* done(claimed)
        expect(Option.isSome(yield* Jobs.enqueue(Invoice, { order: 7, total: 1 }))).toBe(true)
      })
    )

    it.effect("replaces what has not started, and lets another one in when it has", () =>
      Effect.gen(function* () {
        yield* fresh
        const [first] = yield* Jobs.enqueueAll(Digest, [{ user: 1, lines: 1 }])
        const [, second] = yield* Jobs.enqueueAll(Digest, [
          { user: 1, lines: 2 },
          { user: 1, lines: 3 }
        ])
        expect(second).toEqual(first)
        expect((yield* claim(10)).map(({ payload }) => payload)).toEqual(['{"user":1,"lines":3}'])
        yield* Jobs.enqueue(Digest, { user: 1, lines: 4 })
        expect((yield* claim(10)).map(({ payload }) => payload)).toEqual(['{"user":1,"lines":4}'])
      })
    )

    it.effect("gives its key back to a job that was given back, unless another one has it by now", () =>
      Effect.gen(function* () {
        yield* fresh
        const now = yield* Clock.currentTimeMillis
        const { promote } = yield* JobStore
        const digest = (lines: number) => Jobs.enqueue(Digest, { user: 1, lines })
        for (const outcome of [
          { _tag: "Released" },
          { _tag: "Snoozed", due: now, reason: "This version of the program has no handler of this name" }
        ] as const) {
          const first = yield* digest(1)
          yield* settleWith(yield* claim(), outcome)
          // It is replaced, and none comes beside it.
          expect(yield* digest(2)).toEqual(first)
          const started = yield* claim(10)
          expect(started.map(({ payload }) => payload)).toEqual(['{"user":1,"lines":2}'])
          const second = yield* digest(3)
          expect(second).not.toEqual(first)
          yield* settleWith(started, outcome)
          // It began, as the other one saw: both run.
          expect(yield* digest(4)).toEqual(second)
          yield* promote
          expect((yield* claim(10)).map(({ payload }) => payload).toSorted()).toEqual([
            '{"user":1,"lines":2}',
            '{"user":1,"lines":4}'
          ])
          yield* fresh
        }
        // A failure is an attempt: it has started.
        const failed = yield* digest(1)
        yield* settleWith(yield* claim(), { _tag: "Retried", due: now, reason: "no water" })
        const after = yield* digest(2)
        expect(after).not.toEqual(failed)
        yield* promote
        // Also where its second attempt is given back.
        yield* settleWith(yield* claim(10), { _tag: "Released" })
        expect(yield* digest(3)).toEqual(after)
      })
    )

    it.effect("gives back a job while a transaction that is not yet committed enqueues another one with its key", () =>
      Effect.gen(function* () {
        yield* fresh
        const sql = yield* SqlClient.SqlClient
        yield* Jobs.enqueue(Digest, { user: 1, lines: 1 })
        const claimed = yield* claim()
        const [stored, gate] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const enqueuing = yield* Jobs.enqueue(Digest, { user: 1, lines: 2 }).pipe(
          Effect.zipRight(Deferred.succeed(stored, undefined)),
          Effect.zipRight(Deferred.await(gate)),
          sql.withTransaction,
          Effect.fork
        )
        yield* Deferred.await(stored)
        const settling = yield* Effect.fork(settleWith(claimed, { _tag: "Released" }))
        // On SQLite it waits for the only connection that writes.
        const isBlocked = Effect.repeat(sql`SELECT 1 FROM pg_locks WHERE NOT granted`, {
          until: (rows) => rows.length > 0
        })
        if (database.name === "PostgreSQL") yield* Effect.raceFirst(isBlocked, Fiber.await(settling))
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(enqueuing)
        expect(yield* Fiber.join(settling)).toEqual([])
        const rows = yield* sql`SELECT state, attempts, unique_key FROM jobs ORDER BY attempts, state`
        expect(rows).toEqual([
          { state: "ready", attempts: 0, unique_key: "1" },
          { state: "waiting", attempts: 0, unique_key: null }
        ])
      })
    )

    it.effect("runs no more jobs of a queue in the fleet than its limit, however many claim", () =>
      Effect.gen(function* () {
        yield* fresh
        yield* Jobs.enqueueAll(
          Tea,
          Array.from({ length: 20 }, (_, cup) => ({ cup }))
        )
        const claims = yield* Effect.all(
          Array.from({ length: 10 }, () => claim(2, 3)),
          { concurrency: "unbounded" }
        )
        expect(claims.flat()).toHaveLength(3)
        yield* done(claims.flat().slice(0, 1))
        expect(yield* claim(5, 3)).toHaveLength(1)
      })
    )

    it.effect("cancels, retries, pauses, lists and counts", () =>
      Effect.gen(function* () {
        yield* fresh
        const jobs = yield* Jobs.Jobs
        const store = yield* JobStore
        const [id = Option.none()] = yield* Jobs.enqueueAll(Tea, [{ cup: 1 }])
        const tea = Option.getOrThrow(id)
        yield* TestClock.adjust("5 seconds")
        expect(yield* jobs.oldestAge()).toEqual(Duration.seconds(5))
        yield* jobs.pause("default")
        expect(yield* jobs.paused).toEqual(["default"])
        expect(yield* claim()).toEqual([])
        yield* jobs.resume("default")
        expect(yield* jobs.cancel(tea)).toBe(true)
        expect(yield* jobs.cancel(tea)).toBe(false)
        expect(yield* claim()).toEqual([])
        expect(yield* jobs.retry(tea)).toBe(true)
        const [claimed] = yield* claim()
        if (claimed === undefined) return expect.unreachable()
        yield* store.settle([{ claim: claimed, outcome: { _tag: "Failed", reason: "no water" }, erase: false }])
        expect(Option.getOrThrow(yield* jobs.find(tea))).toMatchObject({
          state: "failed",
          reason: "no water",
          attempts: 1
        })
        expect((yield* jobs.list({ state: "failed" })).map(({ name }) => name)).toEqual(["tea"])
        const failed = [{ queue: "default", state: "failed", jobs: 1 }]
        expect(yield* jobs.counts).toEqual(failed)
        expect(yield* jobs.depths).toEqual(failed)
        expect(yield* jobs.retryFailed("other")).toBe(0)
        expect(yield* jobs.retryFailed()).toBe(1)
        yield* done(yield* claim())
        yield* TestClock.adjust("25 hours")
        expect(yield* jobs.sweep).toBe(1)
        expect(yield* jobs.list()).toEqual([])
      })
    )

    it.effect("counts what is not done without a look at what is", () =>
      Effect.gen(function* () {
        yield* fresh
        const { counts, depths } = yield* Jobs.Jobs
        yield* Jobs.enqueueAll(Tea, [{ cup: 1 }])
        yield* done(yield* claim())
        yield* Jobs.enqueueAll(Tea, [{ cup: 2 }], { delay: "1 minute" })
        yield* Jobs.enqueueAll(Tea, [{ cup: 3 }, { cup: 4 }])
        yield* claim(1)
        const of = (state: Jobs.State, jobs: number) => ({ queue: "default", state, jobs })
        expect(yield* depths).toEqual([of("ready", 1), of("running", 1), of("waiting", 1)])
        expect(yield* counts).toEqual([of("done", 1), of("ready", 1), of("running", 1), of("waiting", 1)])
        // What is due is ready, although no worker has said so.
        yield* TestClock.adjust("2 minutes")
        expect(yield* depths).toEqual([of("ready", 3)])
        const statements = JobTable.make(yield* SqlClient.SqlClient, Tables.defaults)
        const { text } = yield* explain(statements.depths(1))
        for (const state of ["ready", "waiting", "running", "unsuccessful"]) expect(text).toContain(`jobs_${state}`)
      })
    )

    it.effect("deletes all that have ended long ago, however many", () =>
      Effect.gen(function* () {
        yield* fresh
        yield* Jobs.enqueueAll(
          Tea,
          Array.from({ length: 2001 }, (_, cup) => ({ cup }))
        )
        yield* done(yield* claim(2001))
        yield* TestClock.adjust("25 hours")
        expect(yield* Effect.flatMap(Jobs.Jobs, ({ sweep }) => sweep)).toBe(2001)
      })
    )

    it.effect("erases the payload of a job that says so, in the row and in what is retried", () =>
      Effect.gen(function* () {
        yield* fresh
        const sql = yield* SqlClient.SqlClient
        yield* Jobs.enqueue(Tea, { cup: 42 })
        yield* done(yield* claim())
        expect(yield* sql`SELECT payload FROM jobs`).toEqual([{ payload: "" }])
      })
    )

    it.effect("ends a transactional job with what its handler wrote, or not at all", () =>
      Effect.gen(function* () {
        yield* fresh
        const sql = yield* SqlClient.SqlClient
        const { promote, transactional } = yield* JobStore
        yield* Jobs.enqueue(Tea, { cup: 1 })
        const [late] = yield* claim()
        if (late === undefined) return expect.unreachable()
        yield* TestClock.adjust("61 seconds")
        yield* promote
        const [current] = yield* claim()
        if (current === undefined) return expect.unreachable()
        const write = sql`INSERT INTO job_ticks ${sql.insert({ name: "written", tick: 1 })}`
        expect(Exit.isFailure(yield* Effect.exit(transactional(late, false, write)))).toBe(true)
        expect(yield* sql`SELECT name FROM job_ticks`).toEqual([])
        yield* transactional(current, false, write)
        expect(yield* sql`SELECT name FROM job_ticks`).toHaveLength(1)
        expect(Option.getOrThrow(yield* (yield* Jobs.Jobs).find(current.id)).state).toBe("done")
      })
    )

    it.effect("stores each tick once, with its jobs", () =>
      Effect.gen(function* () {
        yield* fresh
        const { lastTick, tick } = yield* JobStore
        const row = { name: "tea", queue: "default", priority: 0, payload: '{"cup":1}' }
        const job = { ...row, due: undefined, unique: undefined, traceparent: undefined }
        const stored = yield* Effect.all(
          Array.from({ length: 12 }, () => tick("hourly", 3_600_000, [job])),
          {
            concurrency: "unbounded"
          }
        )
        expect(stored.filter((first) => first)).toHaveLength(1)
        expect(yield* lastTick("hourly")).toEqual(Option.some(3_600_000))
        expect(yield* tick("hourly", 1, [job])).toBe(false)
        expect(yield* claim(10)).toHaveLength(1)
      })
    )

    it.effect("claims no more than were asked for, although the planner expects no row", () =>
      Effect.gen(function* () {
        yield* fresh
        const sql = yield* SqlClient.SqlClient
        const many = Array.from({ length: 2000 }, (_, cup) => ({ cup }))
        yield* Jobs.enqueueAll(Tea, many)
        yield* sql`DELETE FROM jobs`
        // As the server does now and then, also in the moment in which a queue is empty.
        yield* sql`ANALYZE jobs`
        yield* Jobs.enqueueAll(Tea, many)
        expect(yield* claim(24)).toHaveLength(24)
        const [left] = yield* sql<{ readonly jobs: unknown }>`SELECT COUNT(*) AS jobs FROM jobs WHERE state = 'ready'`
        expect(Number(left?.jobs)).toBe(1976)
        yield* fresh
        yield* sql`ANALYZE jobs`
      })
    )

    if (database.name === "PostgreSQL") {
      it.effect("passes no jobs that were begun before the last vacuum, although they are few among many", () =>
        Effect.gen(function* () {
          yield* fresh
          const sql = yield* SqlClient.SqlClient
          yield* sql`INSERT INTO jobs (id, name, queue, priority, payload, state, attempts, due, created_at)
            SELECT lpad(n::text, 6, '0'), 'tea', 'default', 0, '{"cup":1}', 'ready', 0, n, 0
            FROM generate_series(1, 50000) AS n`
          yield* sql`VACUUM ANALYZE jobs`
          yield* claim(800)
          yield* sql`VACUUM jobs`
          const [plan] = yield* sql<{ "QUERY PLAN": ReadonlyArray<{ Plan: Record<string, number> }> }>`
            EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT id FROM jobs WHERE state = 'ready' AND queue = 'default'
            ORDER BY priority, due, id LIMIT 1`
          const { "Shared Hit Blocks": hit = 0, "Shared Read Blocks": read = 0 } = plan?.["QUERY PLAN"][0]?.Plan ?? {}
          // The levels of the index and the row.
          expect(hit + read).toBeLessThan(10)
          yield* fresh
          yield* sql`VACUUM ANALYZE jobs`
        })
      )
    }

    it.effect("finds jobs by an index, without a sort", () =>
      Effect.gen(function* () {
        const statements = JobTable.make(yield* SqlClient.SqlClient, Tables.defaults)
        const plans = yield* Effect.forEach(
          [
            statements.claim("default", 10, "lease", 1),
            statements.promote("waiting", 1),
            statements.promote("running", 1)
          ],
          explain
        )
        for (const plan of plans) {
          expect(plan.isIndexSearch, plan.text).toBe(true)
          expect(plan.sorts, plan.text).toBe(false)
        }
        // The first of an index each.
        const { sorts, text } = yield* explain(statements.look(["default", "mail"]))
        for (const state of ["ready", "waiting", "running"]) expect(text).toContain(`jobs_${state}`)
        expect(sorts).toBe(false)
      })
    )
  })
})

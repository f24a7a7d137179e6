// What the queue promises beyond a job that runs: leases, versions, limits, missed ticks, traces and how long rows are kept.
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import {
  Chunk,
  Clock,
  Deferred,
  Duration,
  Effect,
  Fiber,
  Layer,
  Option,
  Queue,
  Schedule,
  Schema,
  TestClock
} from "effect"
import * as Migrations from "../../../layers/database/Migrations.ts"
import * as Tables from "../../../layers/database/Tables.ts"
import * as JobWorker from "../../../layers/jobs/JobWorker.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as CronJob from "../../../src/jobs/CronJob.ts"
import * as Job from "../../../src/jobs/Job.ts"
import * as Jobs from "../../../src/jobs/Jobs.ts"
import * as Handlers from "../../../src/jobs/internal/Handlers.ts"
import { JobStore } from "../../../src/jobs/internal/JobStore.ts"
import { describeDatabases, type TestEngine } from "../../support/Databases.ts"
import * as RecordedSpans from "../../support/RecordedSpans.ts"

const Cup = Schema.Struct({ cup: Schema.Number })
const Tea = Job.make("tea", { payload: Cup, retry: Schedule.stop })

type Needs = Layer.Layer.Success<typeof SqlJobs.layer> | SqlClient.SqlClient

/** Handlers on a database of their own; the tests run the worker. */
const program = <Handled>(database: TestEngine, handlers: Layer.Layer<Handled, never, Needs>) =>
  handlers.pipe(Layer.provideMerge(SqlJobs.layer), Layer.provideMerge(database.layer))

const stateOf = (id: Option.Option<string>) =>
  Effect.flatMap(Jobs.Jobs, ({ find }) => Effect.map(find(Option.getOrThrow(id)), Option.getOrThrow))

/** Until a fiber sleeps exactly so long from now on. */
const untilAsleep = (duration: Duration.DurationInput) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.repeat(Effect.zipRight(Effect.yieldNow(), TestClock.sleeps()), {
      until: Chunk.contains(now + Duration.toMillis(duration))
    })
  )

describeDatabases("The promises of the queue", (database) => {
  it.scoped("renew the lease of a job while it runs, and not that of a transactional one", () =>
    Effect.gen(function* () {
      const Exact = Job.make("exact", { payload: Cup, transactional: true })
      const [begun, gate] = [yield* Queue.unbounded<string>(), yield* Deferred.make<void>()]
      const renewed = yield* Queue.unbounded<ReadonlyArray<string>>()
      const wait = (name: string) => Effect.zipRight(Queue.offer(begun, name), Deferred.await(gate))
      const handlers = Layer.merge(
        Job.toLayer(Tea, () => wait("tea")),
        Job.toLayer(Exact, () => wait("exact"))
      )
      const observed = Layer.effect(
        JobStore,
        Effect.map(JobStore, (store) => ({
          ...store,
          renew: (claims) =>
            Effect.zipRight(
              Queue.offer(
                renewed,
                claims.map(({ name }) => name)
              ),
              store.renew(claims)
            )
        }))
      )
      yield* Effect.gen(function* () {
        const id = yield* Jobs.enqueue(Tea, { cup: 1 })
        yield* Jobs.enqueue(Exact, { cup: 1 })
        const running = yield* Effect.fork(Effect.provide(JobWorker.untilIdle(), observed))
        yield* Queue.take(begun)
        yield* Queue.take(begun)
        // The transaction has the only connection of SQLite that writes: a renewal waits for it.
        for (let third = 1; third <= (database.name === "SQLite" ? 1 : 4); third++) {
          yield* untilAsleep("20 seconds")
          yield* TestClock.adjust("20 seconds")
          expect(yield* Queue.take(renewed)).toEqual(["tea"])
        }
        // After more than a lease.
        if (database.name !== "SQLite") expect((yield* stateOf(id)).state).toBe("running")
        yield* Deferred.succeed(gate, undefined)
        yield* TestClock.adjust("1 second")
        yield* Fiber.interrupt(running)
      }).pipe(Effect.provide(program(database, handlers)))
    })
  )

  it.scoped("interrupt a job whose lease another worker has by now", () =>
    Effect.gen(function* () {
      const [begun, interrupted] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const handler = Job.toLayer(Tea, () =>
        Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never).pipe(
          Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
        )
      )
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const id = yield* Jobs.enqueue(Tea, { cup: 1 })
        const running = yield* Effect.fork(JobWorker.untilIdle())
        yield* Deferred.await(begun)
        yield* sql`UPDATE jobs SET lease = 'another', attempts = 2`
        yield* TestClock.adjust("20 seconds")
        yield* Deferred.await(interrupted)
        yield* Fiber.interrupt(running)
        // It stays the job of the other one.
        expect(yield* stateOf(id)).toMatchObject({ state: "running", attempts: 2 })
      }).pipe(Effect.provide(program(database, handler)))
    })
  )

  it.scoped("read payloads of the version before and of the version after", () =>
    Effect.gen(function* () {
      const Before = Job.make("brew", { payload: Cup })
      const After = Job.make("brew", {
        payload: Schema.Struct({ ...Cup.fields, sugar: Schema.optionalWith(Schema.Number, { default: () => 0 }) })
      })
      const served: Array<unknown> = []
      const remember = (payload: unknown) => Effect.sync(() => served.push(payload))
      const runWith = <Handled>(handler: Layer.Layer<Handled, never, Handlers.Handlers>) =>
        Effect.provide(JobWorker.untilIdle(), Layer.provideMerge(handler, Handlers.layer))
      yield* Effect.gen(function* () {
        yield* Jobs.enqueue(Before, { cup: 1 })
        yield* runWith(Job.toLayer(After, remember))
        yield* Jobs.enqueue(After, { cup: 2, sugar: 3 })
        yield* runWith(Job.toLayer(Before, remember))
        expect(served).toEqual([{ cup: 1, sugar: 0 }, { cup: 2 }])
      }).pipe(Effect.provide(program(database, Job.layerElsewhere(Before))))
    })
  )

  it.scoped("run no more jobs of a queue at once than its limit in a process", () =>
    Effect.gen(function* () {
      const Picture = Job.make("picture", { payload: Cup, queue: "pictures" })
      const begun = yield* Queue.unbounded<Deferred.Deferred<void>>()
      const hold = Effect.flatMap(Deferred.make<void>(), (gate) =>
        Effect.zipRight(Queue.offer(begun, gate), Deferred.await(gate))
      )
      const ended = yield* Queue.unbounded<string>()
      const handlers = Layer.merge(
        Job.toLayer(Picture, () => hold),
        Job.toLayer(Tea, () => Queue.offer(ended, "tea"))
      )
      yield* Effect.gen(function* () {
        yield* Jobs.enqueueAll(Picture, [{ cup: 1 }, { cup: 2 }])
        yield* Jobs.enqueueAll(Tea, [{ cup: 1 }, { cup: 2 }, { cup: 3 }])
        const running = yield* Effect.fork(
          JobWorker.untilIdle({ concurrency: 5, queues: { pictures: { concurrency: 1 } } })
        )
        const first = yield* Queue.take(begun)
        for (let cup = 1; cup <= 3; cup++) yield* Queue.take(ended)
        expect(yield* Queue.size(begun)).toBe(0)
        yield* Deferred.succeed(first, undefined)
        yield* Effect.flatMap(Queue.take(begun), (gate) => Deferred.succeed(gate, undefined))
        yield* Fiber.join(running)
      }).pipe(Effect.provide(program(database, handlers)))
    })
  )

  it.scoped("make up for the last of the missed ticks, for none or for all of them", () =>
    Effect.gen(function* () {
      const ran: Array<string> = []
      const policies = ["last", "none", "all"] as const
      const handlers = policies.map((missed) =>
        CronJob.toLayer(CronJob.every(`beat.${missed}`, "1 hour", { missed }), ({ at }) =>
          Effect.sync(() => ran.push(`${missed} ${at.epochMillis / 3_600_000}`))
        )
      )
      yield* Effect.gen(function* () {
        yield* TestClock.setTime(3_600_000)
        yield* JobWorker.untilIdle()
        yield* TestClock.adjust("210 minutes")
        yield* JobWorker.untilIdle()
        expect(ran.toSorted()).toEqual(["all 2", "all 3", "all 4", "last 4"])
        ran.length = 0
        yield* TestClock.adjust("30 minutes")
        yield* JobWorker.untilIdle()
        expect(ran.toSorted()).toEqual(["all 5", "last 5", "none 5"])
      }).pipe(Effect.provide(program(database, Layer.mergeAll(Layer.empty, ...handlers))))
    })
  )

  it.scoped("keep a job that is done for a day, and one that failed for thirty", () =>
    Effect.gen(function* () {
      const handler = Job.toLayer(Tea, ({ cup }) => (cup === 0 ? Effect.fail("no water") : Effect.void))
      yield* Effect.gen(function* () {
        const { list, sweep } = yield* Jobs.Jobs
        yield* Jobs.enqueueAll(Tea, [{ cup: 0 }, { cup: 1 }])
        yield* JobWorker.untilIdle()
        const left = Effect.zipRight(
          sweep,
          Effect.map(list(), (all) => all.map(({ state }) => state).toSorted())
        )
        yield* TestClock.adjust("23 hours")
        expect(yield* left).toEqual(["done", "failed"])
        yield* TestClock.adjust("2 hours")
        expect(yield* left).toEqual(["failed"])
        yield* TestClock.adjust("28 days")
        expect(yield* left).toEqual(["failed"])
        yield* TestClock.adjust("1 day")
        expect(yield* left).toEqual([])
      }).pipe(Effect.provide(program(database, handler)))
    })
  )

  it.scoped("run the jobs behind one that fails again and again at once", () =>
    Effect.gen(function* () {
      const Loop = Job.make("loop", { payload: Cup, retry: Schedule.recurs(30) })
      const ran: Array<string> = []
      const handlers = Layer.merge(
        Job.toLayer(Loop, (_, { attempt }) =>
          Effect.zipRight(
            Effect.sync(() => ran.push(`loop ${attempt}`)),
            Effect.fail("again")
          )
        ),
        Job.toLayer(Tea, ({ cup }) => Effect.sync(() => ran.push(`tea ${cup}`)))
      )
      yield* Effect.gen(function* () {
        const id = yield* Jobs.enqueue(Loop, { cup: 0 })
        yield* TestClock.adjust("1 millis")
        yield* Jobs.enqueueAll(
          Tea,
          Array.from({ length: 5 }, (_, cup) => ({ cup }))
        )
        yield* TestClock.adjust("1 millis")
        yield* JobWorker.untilIdle({ concurrency: 1 })
        const last = Math.max(...[0, 1, 2, 3, 4].map((cup) => ran.indexOf(`tea ${cup}`)))
        expect(ran.slice(0, last).filter((name) => name.startsWith("loop")).length).toBeLessThan(3)
        expect(yield* stateOf(id)).toMatchObject({ state: "failed", attempts: 31, reason: "again" })
      }).pipe(Effect.provide(program(database, handlers)))
    })
  )

  it.scoped("keep the reason and the trace of a job that failed, and link its span to who enqueued it", () =>
    Effect.gen(function* () {
      const handler = Job.toLayer(Tea, () => Effect.dieMessage("poison"))
      yield* Effect.gen(function* () {
        const id = yield* Effect.withSpan(Jobs.enqueue(Tea, { cup: 1 }), "POST /orders")
        yield* JobWorker.untilIdle()
        const spans = yield* RecordedSpans.RecordedSpans
        const named = (name: string) => spans.find((span) => span.name === name)
        const [request, enqueued, attempt] = [named("POST /orders"), named("Jobs.enqueue"), named("job tea")]
        expect(yield* stateOf(id)).toMatchObject({
          state: "failed",
          reason: "RuntimeException: poison",
          traceId: request?.traceId
        })
        expect(attempt?.traceId).toBe(request?.traceId)
        expect(attempt?.links.map(({ span }) => span.spanId)).toEqual([enqueued?.spanId])
      }).pipe(Effect.provide(Layer.provideMerge(program(database, handler), RecordedSpans.layer)))
    })
  )

  it.scoped("erase the payload of a job that is done, transactional or not, and keep that of one that failed", () =>
    Effect.gen(function* () {
      const options = { payload: Cup, erase: true, retry: Schedule.stop }
      const [Plain, Exact] = [Job.make("plain", options), Job.make("exact", { ...options, transactional: true })]
      const brew = ({ cup }: typeof Cup.Type) => (cup === 0 ? Effect.fail("no water") : Effect.void)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* Jobs.enqueueAll(Plain, [{ cup: 0 }, { cup: 1 }])
        yield* Jobs.enqueueAll(Exact, [{ cup: 0 }, { cup: 1 }])
        yield* JobWorker.untilIdle()
        expect(yield* sql`SELECT name, state, payload FROM jobs ORDER BY name, state`).toEqual([
          { name: "exact", state: "done", payload: "" },
          { name: "exact", state: "failed", payload: '{"cup":0}' },
          { name: "plain", state: "done", payload: "" },
          { name: "plain", state: "failed", payload: '{"cup":0}' }
        ])
      }).pipe(Effect.provide(program(database, Layer.merge(Job.toLayer(Plain, brew), Job.toLayer(Exact, brew)))))
    })
  )

  it.scoped("give the key of a unique job back to one that is retried, unless another one has it", () =>
    Effect.gen(function* () {
      const Invoice = Job.make("invoice", {
        payload: Cup,
        unique: { key: ({ cup }) => String(cup) },
        retry: Schedule.stop
      })
      yield* Effect.gen(function* () {
        const { cancel, retry, retryFailed } = yield* Jobs.Jobs
        const first = yield* Jobs.enqueue(Invoice, { cup: 1 })
        yield* JobWorker.untilIdle()
        expect((yield* stateOf(first)).state).toBe("failed")
        const second = yield* Jobs.enqueue(Invoice, { cup: 1 })
        expect(Option.isSome(second)).toBe(true)
        expect(yield* retry(Option.getOrThrow(first))).toBe(false)
        expect(yield* retryFailed()).toBe(0)
        yield* cancel(Option.getOrThrow(second))
        expect(yield* retryFailed()).toBe(1)
        expect(yield* Jobs.enqueue(Invoice, { cup: 1 })).toEqual(Option.none())
        expect(yield* retry(Option.getOrThrow(second))).toBe(false)
      }).pipe(
        Effect.provide(
          program(
            database,
            Job.toLayer(Invoice, () => Effect.fail(Duration.zero))
          )
        )
      )
    })
  )

  it.scopedLive(
    "hold for tables of another schema and prefix: ticks, pauses, keys and the wake-up of another worker",
    () =>
      Effect.gen(function* () {
        const schema = database.name === "PostgreSQL" ? { schema: "shop" } : {}
        const tables = Tables.make({ ...schema, prefix: "own_" })
        yield* Migrations.run(undefined, { tables })
        const Once = Job.make("once", { payload: Cup, unique: { key: ({ cup }) => String(cup) } })
        const ran = yield* Queue.unbounded<string>()
        const handlers = Layer.merge(
          Job.toLayer(Once, ({ cup }) => Queue.offer(ran, `cup ${cup}`)),
          CronJob.toLayer(CronJob.every("beat", "1 second"), () => Queue.offer(ran, "beat"))
        )
        const queue = SqlJobs.layerWith({ tables })
        yield* Layer.build(Layer.provide(JobWorker.layer(), Layer.provideMerge(handlers, queue)))
        yield* Effect.gen(function* () {
          const jobs = yield* Jobs.Jobs
          const [first, second] = yield* Jobs.enqueueAll(Once, [{ cup: 1 }, { cup: 1 }])
          expect([first, second].map((id) => Option.isSome(id ?? Option.none()))).toEqual([true, false])
          const seen = new Set<string>()
          while (seen.size < 2) seen.add(yield* Queue.take(ran))
          expect(seen).toEqual(new Set(["cup 1", "beat"]))
          yield* jobs.pause("other")
          expect(yield* jobs.paused).toEqual(["other"])
        }).pipe(Effect.provide(Layer.merge(queue, Job.layerElsewhere(Once))))
        const sql = yield* SqlClient.SqlClient
        for (const table of ["jobs", "job_ticks", "paused_queues"])
          expect(yield* sql`SELECT 1 FROM ${sql(table)}`).toEqual([])
      }).pipe(Effect.provide(database.layer))
  )
})

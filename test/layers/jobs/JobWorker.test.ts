import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Layer, Option, Queue, Schedule, Schema, Scope, TestClock } from "effect"
import * as JobWorker from "../../../layers/jobs/JobWorker.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as CronJob from "../../../src/jobs/CronJob.ts"
import * as Job from "../../../src/jobs/Job.ts"
import * as Jobs from "../../../src/jobs/Jobs.ts"
import { describeDatabases, type TestEngine, TestDatabase } from "../../support/Databases.ts"

const Cup = Schema.Struct({ cup: Schema.Number })
const Tea = Job.make("tea", { payload: Cup, retry: Schedule.fromDelays("10 seconds", "1 minute") })

/** A program with a worker of these handlers, on a database of its own. */
const program = <Handled>(
  database: TestEngine,
  handlers: Layer.Layer<Handled, never, Layer.Layer.Success<typeof SqlJobs.layer> | SqlClient.SqlClient>,
  options: JobWorker.Options = {}
) =>
  JobWorker.layer(options).pipe(
    Layer.provideMerge(handlers),
    Layer.provideMerge(SqlJobs.layer),
    Layer.provideMerge(database.layer)
  )

/** The state of a job, once it is one of these. */
const until = (id: string, ...states: ReadonlyArray<Jobs.State>) =>
  Effect.flatMap(Jobs.Jobs, ({ find }) =>
    Effect.repeat(Effect.zipLeft(Effect.map(find(id), Option.getOrThrow), Effect.yieldNow()), {
      until: ({ state }) => states.includes(state)
    })
  )

const enqueue = (cup: number) => Effect.map(Jobs.enqueue(Tea, { cup }), Option.getOrThrow)

describeDatabases("The worker of jobs", (database) => {
  it.scoped("runs what is enqueued, with its payload and its attempt", () =>
    Effect.gen(function* () {
      const served = yield* Queue.unbounded<readonly [number, number]>()
      const handler = Job.toLayer(Tea, ({ cup }, { attempt }) => Queue.offer(served, [cup, attempt] as const))
      yield* Effect.gen(function* () {
        const id = yield* enqueue(7)
        expect(yield* Queue.take(served)).toEqual([7, 1])
        expect(yield* until(id, "done")).toMatchObject({ attempts: 1, reason: undefined })
      }).pipe(Effect.provide(program(database, handler)))
    })
  )

  it.scoped("retries a failure by the schedule, and keeps what failed for good with its reason", () =>
    Effect.gen(function* () {
      const attempts = yield* Queue.unbounded<number>()
      const handler = Job.toLayer(Tea, (_, { attempt }) =>
        Effect.zipRight(Queue.offer(attempts, attempt), Effect.fail(new Error(`no water ${attempt}`)))
      )
      yield* Effect.gen(function* () {
        const id = yield* enqueue(1)
        expect(yield* Queue.take(attempts)).toBe(1)
        expect(yield* until(id, "waiting")).toMatchObject({ reason: "Error: no water 1" })
        yield* TestClock.adjust("11 seconds")
        expect(yield* Queue.take(attempts)).toBe(2)
        yield* until(id, "waiting")
        yield* TestClock.adjust("61 seconds")
        expect(yield* Queue.take(attempts)).toBe(3)
        expect(yield* until(id, "failed")).toMatchObject({ attempts: 3, reason: "Error: no water 3" })
        expect(yield* (yield* Jobs.Jobs).retry(id)).toBe(true)
        expect(yield* Queue.take(attempts)).toBe(1)
      }).pipe(Effect.provide(program(database, handler)))
    })
  )

  it.scoped("discards and snoozes as the handler says, and ends what takes too long", () =>
    Effect.gen(function* () {
      const Slow = Job.make("slow", { payload: Cup, timeout: "5 seconds", retry: Schedule.stop })
      const begun = yield* Queue.unbounded<number>()
      const handlers = Layer.merge(
        Job.toLayer(Tea, ({ cup }, { attempt }) =>
          Effect.gen(function* () {
            if (cup === 0) return yield* new Job.Discard({ reason: "sold out" })
            yield* Queue.offer(begun, attempt)
            return yield* new Job.Snooze({ delay: Duration.minutes(1) })
          })
        ),
        Job.toLayer(Slow, ({ cup }) => Effect.zipRight(Queue.offer(begun, cup), Effect.never))
      )
      yield* Effect.gen(function* () {
        expect(yield* until(yield* enqueue(0), "discarded")).toMatchObject({ reason: "sold out" })
        const snoozed = yield* enqueue(1)
        expect(yield* Queue.take(begun)).toBe(1)
        expect(yield* until(snoozed, "waiting")).toMatchObject({ attempts: 0 })
        yield* TestClock.adjust("61 seconds")
        expect(yield* Queue.take(begun)).toBe(1)
        const slow = Option.getOrThrow(yield* Jobs.enqueue(Slow, { cup: 99 }))
        expect(yield* Queue.take(begun)).toBe(99)
        yield* TestClock.adjust("6 seconds")
        expect(yield* until(slow, "failed")).toMatchObject({ reason: expect.stringContaining("took longer than 5s") })
      }).pipe(Effect.provide(program(database, handlers)))
    })
  )

  it.scoped("runs no more at once than it may, and goes on with the next when one ends", () =>
    Effect.gen(function* () {
      const begun = yield* Queue.unbounded<Deferred.Deferred<void>>()
      const handler = Job.toLayer(Tea, () =>
        Effect.flatMap(Deferred.make<void>(), (gate) => Effect.zipRight(Queue.offer(begun, gate), Deferred.await(gate)))
      )
      yield* Effect.gen(function* () {
        yield* Jobs.enqueueAll(Tea, [{ cup: 1 }, { cup: 2 }, { cup: 3 }])
        const [first] = [yield* Queue.take(begun), yield* Queue.take(begun)]
        yield* TestClock.adjust("5 seconds")
        expect(yield* Queue.size(begun)).toBe(0)
        yield* Deferred.succeed(first, undefined)
        yield* Queue.take(begun)
      }).pipe(Effect.provide(program(database, handler, { drain: "1 millis" })))
    })
  )

  it.scoped("gives back at a stop what does not end in time, without a counted attempt", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const handler = Job.toLayer(Tea, () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never))
      const shared = yield* Layer.build(
        Layer.merge(SqlJobs.layer, Job.layerElsewhere(Tea)).pipe(Layer.provideMerge(database.layer))
      )
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(Layer.provide(JobWorker.layer({ drain: "1 millis" }), handler), scope).pipe(
        Effect.provide(shared)
      )
      const id = yield* Effect.provide(enqueue(1), shared)
      yield* Deferred.await(begun)
      yield* Scope.close(scope, Exit.void)
      const { find } = yield* Effect.provide(Jobs.Jobs, shared)
      expect(Option.getOrThrow(yield* find(id))).toMatchObject({ state: "waiting", attempts: 0 })
    })
  )

  it.scoped("writes what a transactional handler wrote exactly once, although the first attempt failed after it", () =>
    Effect.gen(function* () {
      const Count = Job.make("count", { payload: Cup, transactional: true, retry: Schedule.fromDelays("1 second") })
      const attempts = yield* Queue.unbounded<number>()
      const handler = Job.toLayer(Count, ({ cup }, { attempt }) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`INSERT INTO counted ${sql.insert({ cup })}`
          yield* Queue.offer(attempts, attempt)
          if (attempt === 1) yield* Effect.fail("after the write")
        })
      )
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE counted (cup INTEGER NOT NULL)`
        const id = Option.getOrThrow(yield* Jobs.enqueue(Count, { cup: 3 }))
        yield* Queue.take(attempts)
        yield* until(id, "waiting")
        yield* TestClock.adjust("2 seconds")
        yield* Queue.take(attempts)
        yield* until(id, "done")
        expect(yield* sql`SELECT cup FROM counted`).toEqual([{ cup: 3 }])
      }).pipe(Effect.provide(program(database, handler)))
    })
  )

  it.scoped("retries a handler that could not read something else", () =>
    Effect.gen(function* () {
      const attempts = yield* Queue.unbounded<number>()
      const handler = Job.toLayer(Tea, (_, { attempt }) =>
        Effect.zipRight(Queue.offer(attempts, attempt), Schema.decodeUnknown(Cup)({ pot: 1 }))
      )
      yield* Effect.gen(function* () {
        const id = yield* enqueue(1)
        expect(yield* Queue.take(attempts)).toBe(1)
        expect((yield* until(id, "waiting", "failed")).state).toBe("waiting")
      }).pipe(Effect.provide(program(database, handler)))
    })
  )

  it.scoped("keeps a payload that this version cannot read, and leaves a job without a handler to another one", () =>
    Effect.gen(function* () {
      const Old = Job.make("tea", { payload: Schema.Struct({ pot: Schema.String }) })
      const Unknown = Job.make("unknown", { payload: Cup })
      const handler = Job.toLayer(Tea, () => Effect.void)
      yield* Effect.gen(function* () {
        const id = Option.getOrThrow(yield* Jobs.enqueue(Old, { pot: "blue" }))
        expect(yield* until(id, "failed")).toMatchObject({ reason: expect.stringContaining("cannot read") })
        const other = Option.getOrThrow(
          yield* Effect.provide(Jobs.enqueue(Unknown, { cup: 1 }), Job.layerElsewhere(Unknown))
        )
        expect(yield* until(other, "waiting")).toMatchObject({ attempts: 0 })
      }).pipe(Effect.provide(program(database, handler)))
    })
  )

  it.scoped("enqueues each tick of a periodic job once, with several workers", () =>
    Effect.gen(function* () {
      const Hourly = CronJob.make("hourly", "0 * * * *", { zone: "Europe/Berlin" })
      const ran = yield* Queue.unbounded<number>()
      const handler = CronJob.toLayer(Hourly, ({ at }) => Queue.offer(ran, at.epochMillis))
      const shared = yield* Layer.build(database.layer)
      const worker = Layer.provideMerge(JobWorker.layer(), handler).pipe(Layer.provideMerge(Layer.fresh(SqlJobs.layer)))
      yield* TestClock.setTime(Date.parse("2026-03-28T23:30:00Z"))
      yield* Effect.forEach([1, 2, 3], () => Effect.provide(Layer.build(Layer.fresh(worker)), shared))
      yield* TestClock.adjust("2 seconds")
      const ticks: Array<string> = []
      for (let hour = 0; hour < 4; hour++) {
        yield* TestClock.adjust("1 hours")
        ticks.push(new Date(yield* Queue.take(ran)).toISOString())
      }
      yield* TestClock.adjust("10 seconds")
      expect(ticks).toEqual([
        "2026-03-29T00:00:00.000Z",
        "2026-03-29T01:00:00.000Z",
        "2026-03-29T02:00:00.000Z",
        "2026-03-29T03:00:00.000Z"
      ])
      expect(yield* Queue.size(ran)).toBe(0)
    })
  )

  it.scopedLive("is woken by a commit of another connection, before it would look again", () =>
    Effect.gen(function* () {
      const served = yield* Deferred.make<number>()
      const handler = Job.toLayer(Tea, ({ cup }) => Deferred.succeed(served, cup))
      yield* Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const elsewhere = Layer.merge(SqlJobs.layer, Job.layerElsewhere(Tea)).pipe(
          Layer.provideMerge(database.layerAt(url))
        )
        yield* Effect.provide(Effect.scoped(Effect.provide(enqueue(5), elsewhere)), Layer.empty)
        expect(yield* Deferred.await(served)).toBe(5)
      }).pipe(Effect.provide(program(database, handler)))
    })
  )
})

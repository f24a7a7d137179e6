import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import {
  Chunk,
  Clock,
  Context,
  Cause,
  Deferred,
  Duration,
  Effect,
  Exit,
  Fiber,
  Layer,
  Logger,
  Option,
  Queue,
  Schedule,
  Schema,
  Scope,
  TestClock,
  TestServices
} from "effect"
import * as JobWorker from "../../../layers/jobs/JobWorker.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as CronJob from "../../../src/jobs/CronJob.ts"
import * as Job from "../../../src/jobs/Job.ts"
import * as Jobs from "../../../src/jobs/Jobs.ts"
import * as Handlers from "../../../src/jobs/internal/Handlers.ts"
import { JobStore } from "../../../src/jobs/internal/JobStore.ts"
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

  it.scoped("gives each attempt a scope of its own, and the services that its handler was provided with", () =>
    Effect.gen(function* () {
      class Pot extends Context.Tag("test/Pot")<Pot, string>() {}
      const seen = yield* Queue.unbounded<string>()
      const handler = Job.toLayer(Tea, (_, { attempt }) =>
        Effect.gen(function* () {
          const pot = yield* Pot
          const close = Queue.offer(seen, `${attempt} leaves ${pot}`)
          yield* Effect.acquireRelease(Queue.offer(seen, `${attempt} uses ${pot}`), () => close)
          if (attempt === 1) yield* Effect.fail(new Error("cold"))
        })
      ).pipe(Layer.provide(Layer.succeed(Pot, "iron")))
      const all = program(database, handler).pipe(Layer.provide(Layer.succeed(Pot, "of the worker")))
      yield* Effect.gen(function* () {
        const id = yield* enqueue(1)
        yield* until(id, "waiting")
        expect(yield* Queue.takeAll(seen)).toEqual(Chunk.make("1 uses iron", "1 leaves iron"))
        yield* TestClock.adjust("11 seconds")
        yield* until(id, "done")
        expect(yield* Queue.takeAll(seen)).toEqual(Chunk.make("2 uses iron", "2 leaves iron"))
      }).pipe(Effect.provide(all))
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

  it.scoped("does as a handler says that does several things at once, and gives its own reason", () =>
    Effect.gen(function* () {
      const handler = Job.toLayer(Tea, ({ cup }) => {
        const failure = cup === 0 ? new Job.Discard({ reason: "sold out" }) : new Error("no water")
        return Effect.all([Effect.zipRight(Effect.yieldNow(), Effect.fail(failure)), Effect.never], {
          concurrency: "unbounded"
        })
      })
      yield* Effect.gen(function* () {
        expect(yield* until(yield* enqueue(0), "waiting", "discarded")).toMatchObject({ reason: "sold out" })
        expect(yield* until(yield* enqueue(1), "waiting")).toMatchObject({ reason: "Error: no water" })
      }).pipe(Effect.provide(program(database, handler)))
    })
  )

  it.scopedLive("starts the next job of a queue with a limit for the fleet when one has ended", () =>
    Effect.gen(function* () {
      const ran = yield* Queue.unbounded<number>()
      const handler = Job.toLayer(Tea, ({ cup }) => Effect.zipRight(Effect.sleep("5 millis"), Queue.offer(ran, cup)))
      yield* Effect.gen(function* () {
        const cups = [1, 2, 3, 4, 5, 6, 7, 8]
        yield* Jobs.enqueueAll(
          Tea,
          cups.map((cup) => ({ cup }))
        )
        // A worker that nobody wakes looks every two seconds.
        const all = yield* Effect.timeout(Queue.takeN(ran, 8), "4 seconds")
        expect(Array.from(all).toSorted()).toEqual(cups)
      }).pipe(Effect.provide(program(database, handler, { queues: { default: { fleet: 1 } } })))
    })
  )

  it.scopedLive("starts what is due by a clock that was set forward", () =>
    Effect.gen(function* () {
      const ran = yield* Deferred.make<void>()
      const handler = Job.toLayer(Tea, () => Deferred.succeed(ran, undefined))
      const real = Clock.make()
      let ahead = 0
      const clock: Clock.Clock = {
        [Clock.ClockTypeId]: Clock.ClockTypeId,
        currentTimeNanos: real.currentTimeNanos,
        unsafeCurrentTimeNanos: () => real.unsafeCurrentTimeNanos(),
        sleep: (duration) => real.sleep(duration),
        currentTimeMillis: Effect.map(real.currentTimeMillis, (now) => now + ahead),
        unsafeCurrentTimeMillis: () => real.unsafeCurrentTimeMillis() + ahead
      }
      yield* Effect.gen(function* () {
        yield* Jobs.enqueue(Tea, { cup: 1 }, { delay: "1 hour" })
        yield* Effect.sleep("500 millis")
        ahead = 7_200_000
        // On SQLite a worker that nobody wakes looks every ten seconds.
        yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO job_ticks (name, tick) VALUES ('other', 1)`)
        yield* Effect.timeout(Deferred.await(ran), "4 seconds")
      }).pipe(Effect.provide(program(database, handler)), Effect.withClock(clock))
    })
  )

  it.scoped("retries a handler that interrupts itself, and does not begin it again at once for ever", () =>
    Effect.gen(function* () {
      const begun = yield* Queue.unbounded<number>()
      const handler = Job.toLayer(Tea, (_, { attempt }) =>
        Effect.zipRight(Queue.offer(begun, attempt), Effect.interrupt)
      )
      yield* Effect.gen(function* () {
        const id = yield* enqueue(1)
        const reason = "Error: The job tea was interrupted by its own handler"
        for (const [attempt, state] of [
          [1, "waiting"],
          [2, "waiting"],
          [3, "failed"]
        ] as const) {
          expect(yield* Queue.take(begun)).toBe(attempt)
          expect(yield* until(id, state)).toMatchObject({ attempts: attempt, reason })
          yield* TestClock.adjust("61 seconds")
        }
      }).pipe(Effect.provide(program(database, handler)))
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

  it.scoped("starts jobs of another queue although one is always full", () =>
    Effect.gen(function* () {
      const Endless = Job.make("endless", { payload: Cup, queue: "endless" })
      const ran = yield* Queue.unbounded<string>()
      const handlers = Layer.provideMerge(
        Job.toLayer(Tea, () => Queue.offer(ran, "tea")),
        Job.toLayer(Endless, ({ cup }) =>
          Effect.zipRight(Queue.offer(ran, "endless"), Jobs.enqueueAll(Endless, [{ cup }, { cup }]))
        )
      )
      yield* Effect.gen(function* () {
        yield* Jobs.enqueue(Endless, { cup: 1 })
        for (let times = 0; times < 5; times++) expect(yield* Queue.take(ran)).toBe("endless")
        yield* enqueue(1)
        yield* Effect.repeat(Queue.take(ran), { until: (name) => name === "tea" })
      }).pipe(Effect.provide(program(database, handlers, { concurrency: 1 })))
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

  it.scoped("renews at a stop what has time to end, however long that is", () =>
    Effect.gen(function* () {
      const [begun, gate] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const handler = Job.toLayer(Tea, () => Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(gate)))
      const shared = yield* Layer.build(
        Layer.merge(SqlJobs.layer, Job.layerElsewhere(Tea)).pipe(Layer.provideMerge(database.layer))
      )
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(Layer.provide(JobWorker.layer({ drain: "1 minute" }), handler), scope).pipe(
        Effect.provide(shared)
      )
      const id = yield* Effect.provide(enqueue(1), shared)
      yield* Deferred.await(begun)
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* TestServices.provideLive(Effect.sleep("200 millis"))
      yield* TestClock.adjust("21 seconds")
      yield* TestServices.provideLive(Effect.sleep("500 millis"))
      const { find } = yield* Effect.provide(Jobs.Jobs, shared)
      const { due } = Option.getOrThrow(yield* find(id))
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(closing)
      expect(due).toBeGreaterThanOrEqual(80_000)
      expect(Option.getOrThrow(yield* find(id))).toMatchObject({ state: "done" })
    })
  )

  it.scoped("records what ends at the moment of a stop, every time", () =>
    Effect.gen(function* () {
      const shared = yield* Layer.build(Layer.provideMerge(SqlJobs.layer, database.layer))
      const { counts } = yield* Effect.provide(Jobs.Jobs, shared)
      const rounds = 30
      for (let round = 0; round < rounds; round++) {
        const [begun, gate] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const handler = Job.toLayer(Tea, () =>
          Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(gate))
        )
        const handlers = Layer.provideMerge(handler, Handlers.layer)
        const worker = Layer.launch(Layer.provide(JobWorker.layer({ concurrency: 1 }), handlers))
        const running = yield* Effect.fork(Effect.provide(worker, shared))
        yield* Effect.provide(Effect.provide(enqueue(round), Job.layerElsewhere(Tea)), shared)
        yield* Deferred.await(begun)
        const closing = yield* Effect.fork(Fiber.interrupt(running))
        for (let turn = 0; turn < round % 5; turn++) yield* Effect.yieldNow()
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(closing)
        expect(yield* counts).toEqual([{ queue: "default", state: "done", jobs: round + 1 }])
      }
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
      const logged: Array<unknown> = []
      const handler = Job.toLayer(Tea, () => Effect.void)
      yield* Effect.gen(function* () {
        const id = Option.getOrThrow(yield* Jobs.enqueue(Old, { pot: "blue" }))
        expect(yield* until(id, "failed")).toMatchObject({ reason: expect.stringContaining("cannot read") })
        expect(logged.splice(0)).toEqual([
          `Job tea ${id}, attempt 1: This version of the program cannot read the payload`
        ])
        const other = Option.getOrThrow(
          yield* Effect.provide(Jobs.enqueue(Unknown, { cup: 1 }), Job.layerElsewhere(Unknown))
        )
        const reason = "This version of the program has no handler of this name"
        expect(yield* until(other, "waiting")).toMatchObject({ attempts: 0, reason })
        expect(logged).toEqual([`Jobs named unknown wait: ${reason}`])
      }).pipe(
        Effect.provide(program(database, handler)),
        Effect.provide(
          Logger.replace(
            Logger.defaultLogger,
            Logger.make(
              ({ message }) =>
                void logged.push(...[message].flat().filter((line) => /wait:|attempt/.test(String(line))))
            )
          )
        )
      )
    })
  )

  it.scoped("ends a job whose workers were lost again and again, and runs one that is lost a few times", () =>
    Effect.gen(function* () {
      const Once = Job.make("once", { payload: Cup, retry: Schedule.stop })
      const ran = yield* Queue.unbounded<number>()
      const handler = Job.toLayer(Once, (_, { attempt }) => Queue.offer(ran, attempt))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ids = yield* Jobs.enqueueAll(Once, [{ cup: 1 }, { cup: 2 }])
        const [lost, poison] = ids.map((id) => Option.getOrThrow(id))
        // As if so many workers had claimed it and died.
        yield* sql`UPDATE jobs SET state = 'running', lease = 'gone', due = 0, attempts = 3 WHERE id = ${lost ?? ""}`
        yield* sql`UPDATE jobs SET state = 'running', lease = 'gone', due = 0, attempts = 4 WHERE id = ${poison ?? ""}`
        yield* JobWorker.untilIdle()
        expect(Array.from(yield* Queue.takeAll(ran))).toEqual([4])
        expect(yield* until(lost ?? "", "done")).toMatchObject({ attempts: 4 })
        const reason = "WorkerLost: The workers of 4 attempts were lost"
        expect(yield* until(poison ?? "", "failed")).toMatchObject({ attempts: 5, reason })
      }).pipe(Effect.provide(handler.pipe(Layer.provideMerge(SqlJobs.layer), Layer.provideMerge(database.layer))))
    })
  )

  it.scoped("asks a schedule that looks at the failure about each failure, however many there were", () =>
    Effect.gen(function* () {
      const isError = (failure: unknown) => failure instanceof Error
      const retry = Schedule.whileInput(Schedule.recurs(6), isError)
      const Picky = Job.make("picky", { payload: Cup, retry })
      const handler = Job.toLayer(Picky, (_, { attempt }) => Effect.fail(new Error(`no water ${attempt}`)))
      yield* Effect.gen(function* () {
        const id = Option.getOrThrow(yield* Jobs.enqueue(Picky, { cup: 1 }))
        yield* JobWorker.untilIdle()
        expect(yield* until(id, "failed")).toMatchObject({ attempts: 7, reason: "Error: no water 7" })
      }).pipe(Effect.provide(handler.pipe(Layer.provideMerge(SqlJobs.layer), Layer.provideMerge(database.layer))))
    })
  )

  it.scoped("says of a job whose worker was lost that it was", () =>
    Effect.gen(function* () {
      const handler = Job.toLayer(Tea, () => Effect.fail(new Error("no water")))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [id, other] = [yield* enqueue(1), yield* enqueue(2)]
        yield* sql`UPDATE jobs SET state = 'running', lease = 'gone', due = 0, attempts = 1 WHERE id = ${id}`
        yield* sql`UPDATE jobs SET state = 'waiting', due = 0, attempts = 1, reason = 'no tea' WHERE id = ${other}`
        yield* Effect.flatMap(JobStore, ({ promote }) => promote)
        expect(yield* until(id, "ready")).toMatchObject({ reason: "The worker of the last attempt was lost" })
        expect(yield* until(other, "ready")).toMatchObject({ reason: "no tea" })
      }).pipe(Effect.provide(handler.pipe(Layer.provideMerge(SqlJobs.layer), Layer.provideMerge(database.layer))))
    })
  )

  /** The store of a database that dies so often when this is asked of it. */
  const failing = (method: "claim" | "settle", times: number) =>
    Layer.effect(
      JobStore,
      Effect.map(JobStore, (store) => {
        let left = times
        const away = Effect.suspend(() => (left-- > 0 ? Effect.die(new Error("the database is away")) : Effect.void))
        return method === "claim"
          ? { ...store, claim: (...given) => Effect.zipRight(away, store.claim(...given)) }
          : { ...store, settle: (settled) => Effect.zipRight(away, store.settle(settled)) }
      })
    )

  for (const method of ["claim", "settle"] as const) {
    it.scoped(`goes on when the database was away for a ${method}, and runs the job once`, () =>
      Effect.gen(function* () {
        const ran = yield* Queue.unbounded<number>()
        const handler = Job.toLayer(Tea, ({ cup }) => Queue.offer(ran, cup))
        const worker = Layer.provide(JobWorker.layer(), failing(method, 3))
        yield* Effect.gen(function* () {
          const id = yield* enqueue(1)
          const isDone = Effect.flatMap(Jobs.Jobs, ({ find }) =>
            Effect.map(
              find(id),
              Option.exists(({ state }) => state === "done")
            )
          )
          yield* Effect.repeat(Effect.zipRight(TestClock.adjust("1 second"), isDone), { until: (done) => done })
          expect(Array.from(yield* Queue.takeAll(ran))).toEqual([1])
        }).pipe(
          Effect.provide(
            worker.pipe(
              Layer.provideMerge(handler),
              Layer.provideMerge(SqlJobs.layer),
              Layer.provideMerge(database.layer)
            )
          )
        )
      })
    )
  }

  it.scoped("ends at a stop although the database stays away, which it could not tell of a job that has ended", () =>
    Effect.gen(function* () {
      const ran = yield* Deferred.make<void>()
      const handler = Job.toLayer(Tea, () => Deferred.succeed(ran, undefined))
      const worker = Layer.provide(JobWorker.layer(), failing("settle", Number.POSITIVE_INFINITY))
      const shared = yield* Layer.build(
        handler.pipe(Layer.provideMerge(SqlJobs.layer), Layer.provideMerge(database.layer))
      )
      const running = yield* Effect.fork(Effect.provide(Layer.launch(worker), shared))
      yield* Effect.provide(enqueue(1), shared)
      yield* Deferred.await(ran)
      yield* TestServices.provideLive(Effect.sleep("100 millis"))
      const stopped = yield* Effect.forkDaemon(Fiber.interrupt(running))
      const ended = Effect.timeoutOption(Fiber.join(stopped), "3 seconds")
      expect(Option.isSome(yield* TestServices.provideLive(ended))).toBe(true)
    })
  )

  it.scoped("ends with the failure of the database when it was told to end", () =>
    Effect.gen(function* () {
      yield* enqueue(1)
      const exit = yield* Effect.exit(Effect.provide(JobWorker.untilIdle(), failing("claim", 1)))
      expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(new Error("the database is away"))
    }).pipe(
      Effect.provide(
        Job.toLayer(Tea, () => Effect.void).pipe(Layer.provideMerge(SqlJobs.layer), Layer.provideMerge(database.layer))
      )
    )
  )

  it.scoped(
    "ends when nothing is left to start: not before what a job has enqueued, and although a queue is paused",
    () =>
      Effect.gen(function* () {
        const Again = Job.make("again", { payload: Cup, queue: "again", retry: Schedule.recurs(2) })
        const Held = Job.make("held", { payload: Cup, queue: "held" })
        const ran = yield* Queue.unbounded<string>()
        const handlers = Layer.mergeAll(
          Job.toLayer(Held, () => Effect.void),
          Layer.provideMerge(
            Job.toLayer(Tea, ({ cup }) => Effect.zipRight(Queue.offer(ran, "tea"), Jobs.enqueue(Again, { cup }))),
            Job.toLayer(Again, (_, { attempt }) =>
              Effect.zipRight(Queue.offer(ran, `again ${attempt}`), Effect.fail("no"))
            )
          )
        )
        yield* Effect.gen(function* () {
          const { pause } = yield* Jobs.Jobs
          yield* pause("held")
          yield* Jobs.enqueue(Held, { cup: 1 })
          yield* enqueue(1)
          yield* JobWorker.untilIdle({ concurrency: 1 })
          expect(Array.from(yield* Queue.takeAll(ran))).toEqual(["tea", "again 1", "again 2", "again 3"])
        }).pipe(Effect.provide(handlers.pipe(Layer.provideMerge(SqlJobs.layer), Layer.provideMerge(database.layer))))
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
      const { counts } = Context.get(yield* Effect.provide(Layer.build(Layer.fresh(SqlJobs.layer)), shared), Jobs.Jobs)
      // Before the next hour: a worker whose lease has ended while it writes the end has lost its job.
      const settled = Effect.repeat(Effect.zipLeft(counts, Effect.yieldNow()), {
        until: (all) => all.every(({ state }) => state === "done")
      })
      const expected = ["00", "01", "02", "03"].map((hour) => `2026-03-29T${hour}:00:00.000Z`)
      for (const tick of expected) {
        yield* TestClock.setTime(Date.parse(tick))
        yield* TestClock.adjust("5 seconds")
        expect(new Date(yield* Queue.take(ran)).toISOString()).toBe(tick)
        yield* settled
      }
      yield* TestClock.adjust("10 seconds")
      expect(yield* Queue.size(ran)).toBe(0)
      expect(yield* counts).toMatchObject([{ state: "done", jobs: 4 }])
    })
  )

  it.scoped("claims after a commit of which nothing is known only what a look has found", () =>
    Effect.gen(function* () {
      const asked = yield* Queue.unbounded<string>()
      const told = yield* Queue.unbounded<boolean>()
      const handler = Job.toLayer(Tea, () => Queue.offer(asked, "run"))
      const watched = Layer.effect(
        JobStore,
        Effect.map(JobStore, (store) => ({
          ...store,
          changed: Queue.take(told),
          claim: (...given) => Effect.zipLeft(store.claim(...given), Queue.offer(asked, "claim")),
          look: (queues) => Effect.zipLeft(store.look(queues), Queue.offer(asked, "look"))
        }))
      )
      const worker = JobWorker.layer().pipe(Layer.provide(watched), Layer.provideMerge(handler))
      const next = (count: number) => Queue.takeN(asked, count).pipe(Effect.map(Chunk.toReadonlyArray))
      yield* Effect.gen(function* () {
        expect(yield* next(2)).toEqual(["claim", "look"])
        yield* Queue.offerAll(told, [false, false])
        expect(yield* next(2)).toEqual(["look", "look"])
        yield* enqueue(1)
        yield* Queue.offer(told, false)
        expect(yield* next(2)).toEqual(["look", "claim"])
        expect(yield* next(2)).toContain("run")
      }).pipe(Effect.provide(worker.pipe(Layer.provideMerge(SqlJobs.layer), Layer.provideMerge(database.layer))))
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

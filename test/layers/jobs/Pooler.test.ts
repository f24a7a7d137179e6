// The queue of jobs behind a real PgBouncer in transaction mode, where no connection can wait for a notification.
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Context, Deferred, Effect, Layer, Option, Schema } from "effect"
import { Notifications } from "../../../layers/database/internal/Notifications.ts"
import * as PostgresDatabase from "../../../layers/database/internal/PostgresDatabase.ts"
import * as JobWorker from "../../../layers/jobs/JobWorker.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as CronJob from "../../../src/jobs/CronJob.ts"
import * as Job from "../../../src/jobs/Job.ts"
import * as Jobs from "../../../src/jobs/Jobs.ts"
import { postgres } from "../../support/Databases.ts"
import { describeDaemons } from "../../support/Haproxy.ts"
import { single, through } from "../../support/Pooler.ts"

const payload = Schema.Struct({ cup: Schema.Number })
const Tea = Job.make("tea", { payload })
const Exact = Job.make("exact", { payload, transactional: true })
const Beat = CronJob.every("beat", "1 second")

/** Ends when it was told this many. */
const counted = (many: number) =>
  Effect.map(Deferred.make<ReadonlyArray<number>>(), (all) => {
    const told: Array<number> = []
    const tell = (one: number) =>
      Effect.suspend(() => (told.push(one) >= many ? Deferred.succeed(all, told) : Effect.void))
    return { tell, all: Deferred.await(all) }
  })

describeDaemons(["pgbouncer"], "Jobs behind PgBouncer in transaction mode", () => {
  it.scopedLive("are enqueued in a transaction and run by a worker that looks, over one connection of the server", () =>
    Effect.gen(function* () {
      // Only its address: the services of this client must not be seen by the others.
      const direct = yield* Layer.build(postgres.layer)
      const url = yield* Effect.provide(through(single), direct)
      const [teas, beats] = [yield* counted(4), yield* counted(2)]
      const handlers = Layer.mergeAll(
        Job.toLayer(Tea, ({ cup }) => teas.tell(cup)),
        Job.toLayer(Exact, ({ cup }) =>
          Effect.zipRight(
            Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO cups ${sql.insert({ cup })}`),
            teas.tell(cup)
          )
        ),
        CronJob.toLayer(Beat, ({ at }) => beats.tell(at.epochMillis))
      )
      const pooled = () => Layer.fresh(Layer.provideMerge(SqlJobs.layer, PostgresDatabase.layer(url)))
      const worker = Layer.provide(JobWorker.layer({ queues: { default: { fleet: 2 } } }), handlers)
      // Two programs: nothing but the database can tell the worker.
      const enqueuing = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        expect(yield* Effect.serviceOption(Notifications)).toEqual(Option.none())
        yield* Effect.ignore(
          sql.withTransaction(Effect.zipRight(Jobs.enqueue(Tea, { cup: 0 }), Effect.fail("rolled back")))
        )
        yield* sql.withTransaction(Jobs.enqueueAll(Tea, [{ cup: 1 }, { cup: 2 }]))
        yield* Jobs.enqueue(Tea, { cup: 3 }, { delay: "1 second" })
        yield* Jobs.enqueue(Exact, { cup: 4 })
        expect((yield* teas.all).toSorted()).toEqual([1, 2, 3, 4])
        const [first = 0, second = 0] = yield* beats.all
        expect(second).toBeGreaterThan(first)
        expect(yield* sql`SELECT cup FROM cups`).toEqual([{ cup: 4 }])
      }).pipe(
        Effect.provide(
          Layer.mergeAll(Job.layerElsewhere(Tea), Job.layerElsewhere(Exact)).pipe(Layer.provideMerge(pooled()))
        )
      )
      yield* Context.get(direct, SqlClient.SqlClient)`CREATE TABLE cups (cup INTEGER NOT NULL)`
      yield* Effect.provide(enqueuing, Layer.provide(worker, pooled()))
    })
  )
})

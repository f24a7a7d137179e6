import { expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Schedule, Schema, TestClock } from "effect"
import * as JobWorker from "../../../layers/jobs/JobWorker.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import * as Job from "../../../src/jobs/Job.ts"
import * as Jobs from "../../../src/jobs/Jobs.ts"
import * as HealthChecks from "../../../src/observability/HealthChecks.ts"
import { Observability } from "../../../src/observability/Observability.ts"
import * as Prometheus from "../../../src/observability/Prometheus.ts"
import { describeDatabases } from "../../support/Databases.ts"

const Tea = Job.make("tea", { payload: Schema.Struct({ cup: Schema.Number }), retry: Schedule.stop })

describeDatabases("The metrics of jobs", (database) => {
  it.scoped("count attempts by outcome, and read the length and the age of the queues", () =>
    Effect.gen(function* () {
      const { find, pause } = yield* Jobs.Jobs
      const observability = yield* Observability
      const ids = yield* Jobs.enqueueAll(Tea, [{ cup: 0 }, { cup: 1 }, { cup: 2 }])
      for (const id of ids) {
        yield* Effect.repeat(Effect.zipLeft(find(Option.getOrThrow(id)), Effect.yieldNow()), {
          until: Option.exists(({ endedAt }) => endedAt !== undefined)
        })
      }
      yield* pause("default")
      yield* Jobs.enqueue(Tea, { cup: 3 })
      const text = yield* observability.export(Prometheus.exporter)
      expect(text).toContain('job_attempts_total{name="tea",outcome="done"} 2\n')
      expect(text).toContain('job_attempts_total{name="tea",outcome="failed"} 1\n')
      expect(text).toContain('job_duration_seconds_count{name="tea"} 3\n')
      expect(text).not.toContain('jobs{queue="default",state="done"}')
      expect(text).toContain('jobs{queue="default",state="failed"} 1\n')
      expect(text).toContain('jobs{queue="default",state="ready"} 1\n')
      expect(text).toContain("jobs_oldest_seconds 0\n")
      // The same for `/readyz?verbose`, which stays ready.
      yield* TestClock.adjust("90 seconds")
      const [check] = yield* (yield* HealthChecks.HealthChecks).run
      expect(check).toMatchObject({ name: "jobs", status: "ok" })
      expect(yield* check?.figures ?? Effect.succeed({})).toEqual({ oldest_seconds: 90 })
    }).pipe(
      Effect.provide(
        JobWorker.layer().pipe(
          Layer.provideMerge(Job.toLayer(Tea, ({ cup }) => (cup === 0 ? Effect.fail("no water") : Effect.void))),
          Layer.provideMerge(SqlJobs.layer),
          Layer.provideMerge(HealthChecks.layer),
          Layer.provideMerge(WorkerObservability.layerWith({ collectors: false })),
          Layer.provideMerge(database.layer)
        )
      )
    )
  )
})

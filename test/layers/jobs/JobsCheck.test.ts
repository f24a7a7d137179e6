import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Schema, TestClock } from "effect"
import * as JobsCheck from "../../../layers/jobs/JobsCheck.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as Job from "../../../src/jobs/Job.ts"
import * as Jobs from "../../../src/jobs/Jobs.ts"
import { JobStore } from "../../../src/jobs/internal/JobStore.ts"
import * as HealthChecks from "../../../src/observability/HealthChecks.ts"
import { describeDatabases } from "../../support/Databases.ts"

const Tea = Job.make("tea", { payload: Schema.Struct({ cup: Schema.Number }), queue: "kitchen" })
const Coffee = Job.make("coffee", { payload: Schema.Struct({ cup: Schema.Number }), queue: "bar" })

const statuses = Effect.flatMap(HealthChecks.HealthChecks, ({ run }) =>
  Effect.map(run, (results) => results.map(({ name, status }) => `${name} ${status}`))
)

describeDatabases("The check of jobs", (database) => {
  layer(
    Layer.mergeAll(
      JobsCheck.layer({ maxAge: "10 minutes" }),
      JobsCheck.layer({ queue: "kitchen", maxAge: "20 minutes" }),
      JobsCheck.layer({ queue: "mail", maxAge: "10 minutes" })
    ).pipe(
      Layer.provideMerge(HealthChecks.layer),
      Layer.provideMerge(Layer.mergeAll(SqlJobs.layer, Job.layerElsewhere(Tea), Job.layerElsewhere(Coffee))),
      Layer.provideMerge(database.layer)
    )
  )((it) => {
    it.effect("fails while a job of its queue has been ready for longer than the limit", () =>
      Effect.gen(function* () {
        const { claim } = yield* JobStore
        expect(yield* statuses).toEqual(["waiting jobs ok", "kitchen queue ok", "mail queue ok"])
        yield* Jobs.enqueue(Tea, { cup: 1 }, { priority: 7 })
        yield* TestClock.adjust("10 minutes")
        expect(yield* statuses).toEqual(["waiting jobs ok", "kitchen queue ok", "mail queue ok"])
        yield* TestClock.adjust("1 millis")
        yield* Jobs.enqueue(Tea, { cup: 2 })
        expect(yield* statuses).toEqual(["waiting jobs failed", "kitchen queue ok", "mail queue ok"])
        yield* TestClock.adjust("10 minutes")
        expect(yield* statuses).toEqual(["waiting jobs failed", "kitchen queue failed", "mail queue ok"])
        yield* claim("kitchen", 2)
        expect(yield* statuses).toEqual(["waiting jobs ok", "kitchen queue ok", "mail queue ok"])
        // A worker that was lost with them: they are ready again after their lease, and too old 10 minutes later.
        yield* TestClock.adjust("12 minutes")
        expect(yield* statuses).toEqual(["waiting jobs failed", "kitchen queue ok", "mail queue ok"])
      })
    )

    it.effect("does not count queues that are paused, which the age of the oldest goes on to tell of", () =>
      Effect.gen(function* () {
        const { oldestAge, pause, resume } = yield* Jobs.Jobs
        const before = yield* oldestAge()
        yield* pause("kitchen")
        expect(yield* statuses).toEqual(["waiting jobs ok", "kitchen queue ok", "mail queue ok"])
        expect(yield* oldestAge()).toEqual(before)
        yield* Jobs.enqueue(Coffee, { cup: 1 })
        yield* TestClock.adjust("11 minutes")
        expect(yield* statuses).toEqual(["waiting jobs failed", "kitchen queue ok", "mail queue ok"])
        yield* pause("bar")
        expect(yield* statuses).toEqual(["waiting jobs ok", "kitchen queue ok", "mail queue ok"])
        yield* resume("kitchen")
        expect(yield* statuses).toEqual(["waiting jobs failed", "kitchen queue failed", "mail queue ok"])
      })
    )
  })
})

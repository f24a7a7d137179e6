import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Schema, TestClock } from "effect"
import { CronJob, Job, Jobs } from "effect-framework/jobs"
import { Respond } from "effect-framework/routes/session"
import { TestApp, TestJobs } from "effect-framework/testing"

const Brew = Job.make("brew", { payload: Schema.Struct({ tea: Schema.String }), transactional: true })

const Report = CronJob.make("report", "0 9 * * 1-5", { zone: "Europe/Berlin" })

const table = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE brewed (tea TEXT NOT NULL)`)

const handlers = Layer.merge(
  Job.toLayer(Brew, ({ tea }) =>
    Effect.gen(function* () {
      if (tea === "coffee") return yield* new Job.Discard({ reason: "This is a teapot" })
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO brewed ${sql.insert({ tea })}`
    })
  ),
  CronJob.toLayer(Report, ({ at }) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => {
      const tea = `report of ${DateTime.formatIsoDateUtc(at)}`
      return sql`INSERT INTO brewed ${sql.insert({ tea })}`
    })
  )
)

const order = HttpLayerRouter.route(
  "POST",
  "/orders",
  Effect.as(Jobs.enqueue(Brew, { tea: "assam" }), Respond.text("Soon"))
)

const options = { migrations: { "0001_brewed": Effect.asVoid(table) }, services: handlers }

layer(TestApp.layer([order], options))("An order", (it) => {
  const brewed = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly tea: string }>`SELECT tea FROM brewed ORDER BY tea`
  )

  it.effect("is brewed after the response", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      yield* guest.submit("/orders", {})
      expect(yield* TestJobs.enqueued(Brew)).toEqual([{ tea: "assam" }])
      yield* TestJobs.run
      expect(yield* brewed).toEqual([{ tea: "assam" }])
    })
  )

  it.effect("of coffee is discarded, and kept with its reason", () =>
    Effect.gen(function* () {
      yield* Jobs.enqueue(Brew, { tea: "coffee" })
      yield* TestJobs.run
      const { list } = yield* Jobs.Jobs
      expect(yield* list({ state: "discarded" })).toMatchObject([{ name: "brew", reason: "This is a teapot" }])
    })
  )

  it.effect("is reported at nine on working days", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-20T12:00:00Z"))
      yield* TestJobs.run
      yield* TestClock.setTime(Date.parse("2026-11-23T08:00:01Z"))
      yield* TestJobs.run
      expect(yield* brewed).toContainEqual({ tea: "report of 2026-11-23" })
    })
  )
})

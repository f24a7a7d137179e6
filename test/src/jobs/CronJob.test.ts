import { describe, expect, it } from "@effect/vitest"
import { Cron, DateTime, Effect, Layer, Option } from "effect"
import * as CronJob from "../../../src/jobs/CronJob.ts"
import * as Handlers from "../../../src/jobs/internal/Handlers.ts"
import * as Ticks from "../../../src/jobs/internal/Ticks.ts"

describe("a periodic job", () => {
  it("is refused with an unknown zone, a malformed expression and an interval of less than a second", () => {
    expect(() => CronJob.make("report", "0 9 * * *", { zone: "Mars/Olympus" })).toThrow(
      "The job report has an unknown time zone: Mars/Olympus"
    )
    expect(() => CronJob.make("report", "0 25 * * *")).toThrow("The job report has the malformed expression 0 25 * * *")
    expect(() => CronJob.every("report", "999 millis")).toThrow("needs an interval of at least a second")
  })

  it("is refused with a day that no month has, which would end all periodic jobs of the program", () => {
    expect(() => CronJob.make("report", "0 9 31 2 *")).toThrow(
      "The job report has the expression 0 9 31 2 *, which no day fits"
    )
    expect(() => CronJob.make("report", "0 0 9 31 4,6,9,11 *")).toThrow("which no day fits")
    for (const expression of ["0 9 29 2 *", "0 9 31 2 1", "0 9 31 * *"]) CronJob.make("report", expression)
  })

  it("needs no table of time zones for UTC, and ticks as in the zone of that name", () => {
    const ticks = (zone: string) => {
      const { rhythm } = CronJob.make("report", "30 2 29 2,3 *", { zone })
      if (rhythm._tag !== "Cron") throw new Error("no expression")
      const cron = rhythm.cron
      const from = new Date("2027-01-01T00:00:00Z")
      const times = Array.from({ length: 20 }, () => from.setTime(Cron.next(cron, from).getTime()))
      return { isNamed: Option.exists(cron.tz, DateTime.isTimeZoneNamed), times }
    }
    expect(ticks("UTC").isNamed).toBe(false)
    expect(ticks("Etc/GMT")).toEqual({ ...ticks("UTC"), isNamed: true })
  })

  it.effect("stores the time that it is for, which its handler reads", () =>
    Effect.gen(function* () {
      const { all } = yield* Ticks.CronJobs
      const { find } = yield* Handlers.Handlers
      const at = Date.parse("2026-11-18T09:00:00Z")
      const [job] = all()
      expect(job).toMatchObject({ name: "report", missed: "all" })
      const row = job?.row(at)
      expect(row).toMatchObject({ name: "report", queue: "slow", priority: 3, due: undefined, unique: undefined })
      const handler = find("report")
      if (handler === undefined) return yield* Effect.dieMessage("no handler")
      const run = yield* handler.read(row?.payload ?? "")
      expect(yield* run({ id: "a", attempt: 1 })).toBe(at)
    }).pipe(
      Effect.provide(
        CronJob.toLayer(CronJob.make("report", "0 9 * * *", { queue: "slow", priority: 3, missed: "all" }), ({ at }) =>
          Effect.succeed(DateTime.toEpochMillis(at))
        ).pipe(Layer.provideMerge(Layer.merge(Handlers.layer, Ticks.layer)))
      )
    )
  )
})

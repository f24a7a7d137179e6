import { expect, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { Jobs } from "effect-framework/jobs"
import { TestApp, TestJobs } from "effect-framework/testing"
import { migrations, pages, routes, services } from "../src/App.ts"

layer(TestApp.layer(pages, { routes, migrations, services }))("The report", (it) => {
  it.effect("runs once a day", () =>
    Effect.gen(function* () {
      yield* TestJobs.run
      yield* TestClock.adjust("3 days")
      yield* TestJobs.run
      const { list } = yield* Jobs.Jobs
      expect(yield* list()).toMatchObject([{ name: "report", state: "done" }])
    })
  )
})

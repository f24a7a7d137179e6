// Jobs in the test of a program: what was enqueued, and running it now.
import { Effect, Schema } from "effect"
import * as JobWorker from "../layers/jobs/JobWorker.ts"
import type { Job } from "../src/jobs/Job.ts"
import { JobStore } from "../src/jobs/internal/JobStore.ts"

/** The payloads of the jobs of this kind that have not ended, in the order in which they were enqueued. */
export const enqueued = <Name extends string, A, I>(
  job: Job<Name, A, I>
): Effect.Effect<ReadonlyArray<A>, never, JobStore> =>
  Effect.flatMap(JobStore, ({ payloads }) =>
    Effect.flatMap(payloads(job.name), (texts) => {
      const decode = Schema.decode(Schema.parseJson(job.payload))
      return Effect.orDie(Effect.forEach(texts, (text) => decode(text)))
    })
  )

/**
 * Runs what is ready and due by the clock of the test, and what that enqueues, until nothing is left. Move the `TestClock`
 * for retries, delays and periodic jobs; call it once before the first tick that a periodic job is to have.
 *
 * @example
 * ```ts
 * import { expect, layer } from "@effect/vitest"
 * import { Effect, Schema } from "effect"
 * import { Job, Jobs } from "effect-framework/jobs"
 * import { TestApp, TestJobs } from "effect-framework/testing"
 *
 * const Tea = Job.make("tea", { payload: Schema.Struct({ cup: Schema.Number }) })
 *
 * layer(TestApp.layer([], { services: Job.toLayer(Tea, () => Effect.void) }))("Tea", (it) => {
 *   it.effect("is made", () =>
 *     Effect.gen(function* () {
 *       yield* Jobs.enqueue(Tea, { cup: 7 })
 *       expect(yield* TestJobs.enqueued(Tea)).toEqual([{ cup: 7 }])
 *       yield* TestJobs.run
 *       expect(yield* TestJobs.enqueued(Tea)).toEqual([])
 *     })
 *   )
 * })
 * ```
 */
export const run = JobWorker.untilIdle({ concurrency: 10 })

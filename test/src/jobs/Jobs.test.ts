import { describe, expect, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Option, Schema, TestClock } from "effect"
import * as Job from "../../../src/jobs/Job.ts"
import * as Jobs from "../../../src/jobs/Jobs.ts"
import * as RecordedSpans from "../../support/RecordedSpans.ts"

const Tea = Job.make("tea", {
  payload: Schema.Struct({ cup: Schema.Int }),
  queue: "kitchen",
  priority: 5,
  unique: { key: ({ cup }) => `cup ${cup}`, until: "started" }
})

const stored: Array<Jobs.NewJob> = []

// Of the service only what is enqueued by.
const store = Layer.succeed(Jobs.Jobs, {
  insert: (jobs: ReadonlyArray<Jobs.NewJob>) =>
    Effect.sync(() => jobs.map((job) => Option.some(String(stored.push(job))))),
  cancel: () => Effect.succeed(false),
  retry: () => Effect.succeed(false),
  retryFailed: () => Effect.succeed(0),
  pause: () => Effect.void,
  resume: () => Effect.void,
  paused: Effect.succeed([]),
  find: () => Effect.succeed(Option.none()),
  list: () => Effect.succeed([]),
  counts: Effect.succeed([]),
  depths: Effect.succeed([]),
  oldestAge: () => Effect.succeed(Duration.zero),
  sweep: Effect.succeed(0)
})

const provided = Layer.merge(store, Job.layerElsewhere(Tea))

describe("Jobs.enqueue", () => {
  it.effect("stores a row by the declaration of the job, and the options over it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      stored.length = 0
      yield* Jobs.enqueue(Tea, { cup: 1 })
      yield* Jobs.enqueue(Tea, { cup: 2 }, { delay: "1 minute", priority: -1 })
      yield* Jobs.enqueue(Tea, { cup: 3 }, { at: DateTime.unsafeMake(999_999) })
      const unique = (cup: number) => ({ key: `cup ${cup}`, until: "started", onConflict: "skip" })
      const row = { name: "tea", queue: "kitchen", hasSecrets: false, traceparent: undefined }
      expect(stored).toEqual([
        { ...row, priority: 5, payload: '{"cup":1}', due: undefined, unique: unique(1) },
        { ...row, priority: -1, payload: '{"cup":2}', due: 1_060_000, unique: unique(2) },
        // A time in the past is now.
        { ...row, priority: 5, payload: '{"cup":3}', due: undefined, unique: unique(3) }
      ])
    }).pipe(Effect.provide(provided), Effect.withTracerEnabled(false))
  )

  it.effect("knows the span of the request that asks for it, where spans are collected", () =>
    Effect.gen(function* () {
      stored.length = 0
      yield* Effect.withSpan(Jobs.enqueueAll(Tea, [{ cup: 1 }, { cup: 2 }]), "request")
      const spans = yield* RecordedSpans.RecordedSpans
      const enqueued = spans.find(({ name }) => name === "Jobs.enqueue")
      expect(stored.map(({ traceparent }) => traceparent?.split("-").slice(1, 3))).toEqual([
        [enqueued?.traceId, enqueued?.spanId],
        [enqueued?.traceId, enqueued?.spanId]
      ])
    }).pipe(Effect.provide(Layer.merge(provided, RecordedSpans.layer)))
  )

  it.effect("dies of a payload that does not fit its schema, and stores nothing", () =>
    Effect.gen(function* () {
      stored.length = 0
      const exit = yield* Effect.exit(Jobs.enqueue(Tea, { cup: 1.5 }))
      expect(String(exit)).toContain("Int")
      expect(stored).toEqual([])
    }).pipe(Effect.provide(provided))
  )
})

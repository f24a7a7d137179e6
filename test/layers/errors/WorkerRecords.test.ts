import { describe, expect, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Layer } from "effect"
import { realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as WorkerRecords from "../../../layers/errors/WorkerRecords.ts"
import * as WorkerReporters from "../../../layers/errors/WorkerReporters.ts"
import * as ExceptionRecords from "../../../src/errors/ExceptionRecords.ts"
import { Reporters } from "../../../src/errors/Reporters.ts"
import * as Sources from "../../../src/errors/Sources.ts"
import { folder } from "../../support/Demo.ts"

const layer = (sources: Layer.Layer<Sources.Sources> = Sources.layerNone, capacity = 2000) =>
  WorkerRecords.layerWith({ version: "1.2.3", capacity }).pipe(
    Layer.provideMerge(WorkerReporters.layer),
    Layer.provide(sources)
  )

const fail = (count: number) =>
  Effect.flatMap(Reporters, ({ notify }) =>
    Effect.forEach(Array.from({ length: count }), (_, index) => notify(Cause.die(new Error(`number ${index}`))), {
      discard: true
    })
  )

describe("WorkerRecords", () => {
  it.scopedLive("hands every record to each receiver, in order, also the thousandth in a row", () =>
    Effect.gen(function* () {
      const received: Array<string> = []
      const { add } = yield* ExceptionRecords.ExceptionRecords
      yield* add((records) => void received.push(...records.map(({ message }) => message)))
      yield* add(() => Effect.never)
      yield* add(() => Effect.fail("no"))
      yield* add(() => {
        throw new Error("no")
      })
      yield* fail(1000)
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => received.length >= 1000 })
      expect(received).toEqual(Array.from({ length: 1000 }, (_, index) => `number ${index}`))
    }).pipe(Effect.provide(layer()))
  )

  it.scopedLive("hands on an unmapped record when the source map takes too long, and a mapped one afterwards", () =>
    Effect.gen(function* () {
      const opened = yield* Deferred.make<boolean>()
      let isOpen = false
      const slow = Layer.succeed(Sources.Sources, {
        root: "",
        locate: (place) => (isOpen ? { ...place, file: "/app/source.ts" } : place),
        read: () => undefined,
        opened: Effect.suspend(() => (isOpen ? Effect.succeed(false) : Deferred.await(opened)))
      })
      const received: Array<ExceptionRecords.ExceptionRecord> = []
      const work = Effect.gen(function* () {
        const { add } = yield* ExceptionRecords.ExceptionRecords
        yield* add((records) => void received.push(...records))
        yield* fail(1)
        yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => received.length === 1 })
        isOpen = true
        yield* Deferred.succeed(opened, true)
        yield* fail(1)
        yield* Effect.flatMap(Reporters, ({ settle }) => settle)
      })
      yield* Effect.provide(work, layer(slow))
      expect(received.map(({ unmapped }) => unmapped)).toEqual([true, undefined])
      expect(received.map(({ file }) => file === "/app/source.ts")).toEqual([false, true])
      expect(received.map(({ version }) => version)).toEqual(["1.2.3", "1.2.3"])
    })
  )

  it.scopedLive("opens at the start the source maps of the built program whose places the build has not written", () =>
    Effect.gen(function* () {
      const built = realpathSync(yield* folder)
      for (const name of ["main.js", "main.js.map", "a.js", "a.js.map", "a.js.places", "b.js"]) {
        writeFileSync(join(built, name), "")
      }
      const [, before = ""] = process.argv
      yield* Effect.acquireRelease(
        Effect.sync(() => void (process.argv[1] = join(built, "main.js"))),
        () => Effect.sync(() => void (process.argv[1] = before))
      )
      const opened: Array<string> = []
      const locate = (place: Sources.Place) => {
        opened.push(place.file)
        return place
      }
      const sources = Layer.succeed(Sources.Sources, { root: "", locate, read: () => undefined })
      yield* Layer.build(layer(sources))
      expect(opened).toEqual([join(built, "main.js")])
    })
  )
})

import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, FastCheck } from "effect"
import * as Histogram from "../../../src/observability/Histogram.ts"
import * as Instrument from "../../../src/observability/Instrument.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import { values } from "./Snapshots.ts"

describe("a histogram", () => {
  it("has the bounds of the contract by default", () => {
    const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    expect(Either.getOrThrow(Histogram.make("a")).bounds).toEqual(bounds)
  })

  it("counts a value that is exactly a bound below it", () => {
    const histogram = Either.getOrThrow(Histogram.make("a", { buckets: [1, 2] }))
    for (const value of [1, 2, 2.5, -5]) histogram.observe(value)
    expect(histogram.read()).toEqual([{ labels: Labels.of({}), bounds: [1, 2], counts: [2, 3], sum: 0.5, count: 4 }])
  })

  it("sorts its bounds", () => {
    expect(Either.getOrThrow(Histogram.make("a", { buckets: [3, -1, 2] })).bounds).toEqual([-1, 2, 3])
  })

  it.each([[[]], [[1, 1]], [[0, -0]], [[1, Infinity]], [[Number.NaN]]])("refuses the bounds %j", (buckets) => {
    expect(Histogram.make("a", { buckets })).toSatisfy(Either.isLeft)
    expect(Histogram.family("a", { buckets, labels: ["b"] })).toSatisfy(Either.isLeft)
  })

  it.effect("refuses what is not a finite number, in both forms", () =>
    Effect.gen(function* () {
      const histogram = yield* Histogram.make("a")
      for (const bad of [Number.NaN, Infinity, -Infinity]) {
        expect(() => histogram.observe(bad)).toThrow(Instrument.InvalidInstrument)
        expect(yield* Effect.flip(Instrument.effect(() => histogram.observe(bad)))).toBeInstanceOf(
          Instrument.InvalidInstrument
        )
      }
      yield* Instrument.effect(() => histogram.observe(1))
      expect(values(histogram.read())).toEqual({ "": 1 })
    })
  )

  it.prop(
    "counts for each bound the values that are at most that",
    [
      FastCheck.uniqueArray(FastCheck.integer({ min: -50, max: 50 }), { minLength: 1 }),
      FastCheck.array(FastCheck.integer({ min: -60, max: 60 }))
    ],
    ([buckets, observed]) => {
      const histogram = Either.getOrThrow(Histogram.make("a", { buckets }))
      for (const value of observed) histogram.observe(value)
      const [read] = histogram.read()
      expect(read?.counts).toEqual(read?.bounds.map((bound) => observed.filter((value) => value <= bound).length))
      expect(read?.count).toBe(observed.length)
      expect(read?.sum).toBe(observed.reduce((sum, value) => sum + value, 0))
    }
  )
})

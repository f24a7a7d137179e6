import { describe, expect, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import * as Gauge from "../../../src/observability/Gauge.ts"
import { InvalidInstrument } from "../../../src/observability/Instrument.ts"
import { isDistribution, type Series } from "../../../src/observability/Series.ts"

const values = (series: ReadonlyArray<Series>) =>
  Object.fromEntries(series.map((item) => [item.labels.text, isDistribution(item) ? item.count : item.value]))

describe("a gauge", () => {
  it("goes up and down", () => {
    const gauge = Either.getOrThrow(Gauge.make("a"))
    gauge.set(5)
    gauge.increment()
    gauge.increment(2)
    gauge.decrement()
    gauge.decrement(0.5)
    expect(values(gauge.read())).toEqual({ "": 6.5 })
  })

  it.effect("refuses what is not a finite number, in both forms", () =>
    Effect.gen(function* () {
      const gauge = yield* Gauge.make("a")
      yield* Gauge.set(gauge, 1)
      for (const bad of [Number.NaN, Infinity, -Infinity]) {
        expect(() => gauge.set(bad)).toThrow(InvalidInstrument)
        expect(() => gauge.increment(bad)).toThrow(InvalidInstrument)
        expect(() => gauge.decrement(bad)).toThrow(InvalidInstrument)
        expect(yield* Effect.flip(Gauge.set(gauge, bad))).toBeInstanceOf(InvalidInstrument)
        expect(yield* Effect.flip(Gauge.increment(gauge, bad))).toBeInstanceOf(InvalidInstrument)
        expect(yield* Effect.flip(Gauge.decrement(gauge, bad))).toBeInstanceOf(InvalidInstrument)
      }
      yield* Gauge.increment(gauge)
      yield* Gauge.decrement(gauge, 3)
      expect(values(gauge.read())).toEqual({ "": -1 })
    })
  )
})

import { describe, expect, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import * as Gauge from "../../../src/observability/Gauge.ts"
import * as Instrument from "../../../src/observability/Instrument.ts"
import { values } from "./Snapshots.ts"

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

  it("says that it must not be added up, in all its forms", () => {
    const options = { aggregation: "max" } as const
    const all = [
      Either.getOrThrow(Gauge.make("a", options)),
      Either.getOrThrow(Gauge.family("a", { ...options, labels: ["b"] })),
      Either.getOrThrow(Gauge.observable("a", () => 1, options))
    ]
    expect(all.map(({ aggregation }) => aggregation)).toEqual(["max", "max", "max"])
    expect(Either.getOrThrow(Gauge.make("a", { aggregation: "sum" })).aggregation).toBeUndefined()
  })

  it.effect("refuses what is not a finite number, in both forms", () =>
    Effect.gen(function* () {
      const gauge = yield* Gauge.make("a")
      yield* Instrument.effect(() => gauge.set(1))
      for (const bad of [Number.NaN, Infinity, -Infinity]) {
        expect(() => gauge.set(bad)).toThrow(Instrument.InvalidInstrument)
        expect(() => gauge.increment(bad)).toThrow(Instrument.InvalidInstrument)
        expect(() => gauge.decrement(bad)).toThrow(Instrument.InvalidInstrument)
        expect(yield* Effect.flip(Instrument.effect(() => gauge.set(bad)))).toBeInstanceOf(Instrument.InvalidInstrument)
        expect(yield* Effect.flip(Instrument.effect(() => gauge.increment(bad)))).toBeInstanceOf(
          Instrument.InvalidInstrument
        )
        expect(yield* Effect.flip(Instrument.effect(() => gauge.decrement(bad)))).toBeInstanceOf(
          Instrument.InvalidInstrument
        )
      }
      yield* Instrument.effect(() => gauge.increment())
      yield* Instrument.effect(() => gauge.decrement(3))
      expect(values(gauge.read())).toEqual({ "": -1 })
    })
  )
})

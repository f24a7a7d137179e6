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

  it.effect("refuses what is not a finite number, in both forms", () =>
    Effect.gen(function* () {
      const gauge = yield* Gauge.make("a")
      yield* Instrument.attempt(() => gauge.set(1))
      for (const bad of [Number.NaN, Infinity, -Infinity]) {
        expect(() => gauge.set(bad)).toThrow(Instrument.InvalidInstrument)
        expect(() => gauge.increment(bad)).toThrow(Instrument.InvalidInstrument)
        expect(() => gauge.decrement(bad)).toThrow(Instrument.InvalidInstrument)
        expect(yield* Effect.flip(Instrument.attempt(() => gauge.set(bad)))).toBeInstanceOf(
          Instrument.InvalidInstrument
        )
        expect(yield* Effect.flip(Instrument.attempt(() => gauge.increment(bad)))).toBeInstanceOf(
          Instrument.InvalidInstrument
        )
        expect(yield* Effect.flip(Instrument.attempt(() => gauge.decrement(bad)))).toBeInstanceOf(
          Instrument.InvalidInstrument
        )
      }
      yield* Instrument.attempt(() => gauge.increment())
      yield* Instrument.attempt(() => gauge.decrement(3))
      expect(values(gauge.read())).toEqual({ "": -1 })
    })
  )
})

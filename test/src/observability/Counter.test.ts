import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, FastCheck } from "effect"
import * as Counter from "../../../src/observability/Counter.ts"
import * as Instrument from "../../../src/observability/Instrument.ts"
import { values } from "./Snapshots.ts"

describe("a counter", () => {
  it("starts at 0 and grows by 1 or by the given step", () => {
    const counter = Either.getOrThrow(Counter.make("a_total", { help: "All", labels: { b: "c" } }))
    expect(values(counter.read())).toEqual({ 'b="c"': 0 })
    counter.increment()
    counter.increment(0)
    counter.increment(2.5)
    expect(values(counter.read())).toEqual({ 'b="c"': 3.5 })
  })

  it.each([-1, -Number.MIN_VALUE, Number.NaN, Infinity, -Infinity])("refuses to grow by %d", (by) => {
    const counter = Either.getOrThrow(Counter.make("a"))
    expect(() => counter.increment(by)).toThrow(Instrument.InvalidInstrument)
    expect(values(counter.read())).toEqual({ "": 0 })
  })

  it("refuses the finite step that would make it infinite", () => {
    const counter = Either.getOrThrow(Counter.make("a"))
    counter.increment(Number.MAX_VALUE)
    expect(() => counter.increment(Number.MAX_VALUE)).toThrow(Instrument.InvalidInstrument)
    expect(values(counter.read())).toEqual({ "": Number.MAX_VALUE })
  })

  it.effect("fails with InvalidInstrument in its Effect form", () =>
    Effect.gen(function* () {
      const counter = yield* Counter.make("a")
      yield* Instrument.effect(() => counter.increment())
      yield* Instrument.effect(() => counter.increment(2))
      const failure = yield* Effect.flip(Instrument.effect(() => counter.increment(-1)))
      expect(failure).toBeInstanceOf(Instrument.InvalidInstrument)
      expect(failure.message).toBe("a: a counter cannot grow by -1")
      expect(values(counter.read())).toEqual({ "": 3 })
    })
  )

  it.prop("is the sum of its steps", [FastCheck.array(FastCheck.nat())], ([steps]) => {
    const counter = Either.getOrThrow(Counter.make("a"))
    for (const step of steps) counter.increment(step)
    expect(values(counter.read())).toEqual({ "": steps.reduce((sum, step) => sum + step, 0) })
  })
})

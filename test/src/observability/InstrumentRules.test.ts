import { describe, expect, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import * as Counter from "../../../src/observability/Counter.ts"
import * as Gauge from "../../../src/observability/Gauge.ts"
import * as Histogram from "../../../src/observability/Histogram.ts"
import * as Instrument from "../../../src/observability/Instrument.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import { values } from "./Snapshots.ts"

describe("a name", () => {
  it.each(["", "1a", "a-b", "a b", "a.b", "é", "a\n", "a{}", "metrics_merge_conflicts_total"])(
    "cannot be %j",
    (name) => {
      expect(Counter.make(name)).toSatisfy(Either.isLeft)
      expect(Gauge.make(name)).toSatisfy(Either.isLeft)
      expect(Histogram.make(name)).toSatisfy(Either.isLeft)
      expect(Counter.family(name, { labels: ["a"] })).toSatisfy(Either.isLeft)
    }
  )

  it.each(["a", "_a", ":a", "A9_:"])("can be %j", (name) => {
    expect(Either.getOrThrow(Counter.make(name)).name).toBe(name)
  })
})

describe("a write of another type", () => {
  // What JSON or an untyped caller may bring. A symbol cannot even be added, a BigInt cannot be mixed with a number.
  const foreign: ReadonlyArray<readonly [string, unknown]> = [
    ["string", "1"],
    ["empty string", ""],
    ["null", null],
    ["boolean", true],
    ["list", [1]],
    ["object with a valueOf", { valueOf: () => 1 }],
    ["bigint", 1n],
    ["symbol", Symbol("1")]
  ]
  const refused = (write: (value: number) => void, value: unknown) => {
    try {
      Reflect.apply(write, undefined, [value])
      return undefined
    } catch (error) {
      return error
    }
  }

  it.each(foreign)("is refused by every instrument when it is a %s, and changes nothing", (_, value) => {
    const counter = Either.getOrThrow(Counter.make("a_total"))
    const gauge = Either.getOrThrow(Gauge.make("b"))
    const histogram = Either.getOrThrow(Histogram.make("c", { buckets: [1] }))
    const writes = [
      (by: number) => counter.increment(by),
      (to: number) => gauge.set(to),
      (by: number) => gauge.increment(by),
      (by: number) => gauge.decrement(by),
      (seen: number) => histogram.observe(seen)
    ]
    for (const write of writes) {
      expect(refused(write, value)).toBeInstanceOf(Instrument.InvalidInstrument)
    }
    expect(counter.read()).toEqual([{ labels: Labels.of({}), value: 0 }])
    expect(gauge.read()).toEqual([{ labels: Labels.of({}), value: 0 }])
    expect(histogram.read()).toEqual([{ labels: Labels.of({}), bounds: [1], counts: [0], sum: 0, count: 0 }])
  })

  it.effect("fails with InvalidInstrument in the Effect form, and the reason names its type", () =>
    Effect.gen(function* () {
      const text: number = JSON.parse('"1"')
      const counter = yield* Counter.make("a_total")
      const gauge = yield* Gauge.make("b")
      const histogram = yield* Histogram.make("c")
      const failures = yield* Effect.all(
        [
          () => counter.increment(text),
          () => gauge.set(text),
          () => gauge.increment(text),
          () => gauge.decrement(text),
          () => histogram.observe(text)
        ].map((write) => Effect.flip(Instrument.effect(write)))
      )
      expect(failures.map(({ message }) => message)).toEqual([
        "a_total: a counter cannot grow by a value of type string",
        "b: a gauge cannot be a value of type string",
        "b: a gauge cannot grow by a value of type string",
        "b: a gauge cannot fall by a value of type string",
        "c: a histogram cannot observe a value of type string"
      ])
    })
  )

  it("is refused where finite numbers add up to infinity, and the value before it stays", () => {
    const gauge = Either.getOrThrow(Gauge.make("b"))
    gauge.set(Number.MAX_VALUE)
    expect(() => gauge.increment(Number.MAX_VALUE)).toThrow("b: a gauge cannot grow by 1.7976931348623157e+308")
    expect(values(gauge.read())).toEqual({ "": Number.MAX_VALUE })
    gauge.set(-Number.MAX_VALUE)
    expect(() => gauge.decrement(Number.MAX_VALUE)).toThrow(Instrument.InvalidInstrument)
    expect(values(gauge.read())).toEqual({ "": -Number.MAX_VALUE })
    const histogram = Either.getOrThrow(Histogram.make("c", { buckets: [1] }))
    histogram.observe(Number.MAX_VALUE)
    expect(() => histogram.observe(Number.MAX_VALUE)).toThrow(Instrument.InvalidInstrument)
    expect(histogram.read()).toMatchObject([{ sum: Number.MAX_VALUE, count: 1 }])
  })
})

describe("an observable", () => {
  it("is read at each snapshot", () => {
    let now = 1
    const gauge = Either.getOrThrow(Gauge.observable("a", () => now, { labels: { b: "c" } }))
    expect(values(gauge.read())).toEqual({ 'b="c"': 1 })
    now = -2
    expect(values(gauge.read())).toEqual({ 'b="c"': -2 })
  })

  const broken: ReadonlyArray<readonly [string, () => number]> = [
    [
      "throws",
      () => {
        throw new Error("no")
      }
    ],
    ["gives no number", () => JSON.parse('"1"')],
    ["gives NaN", () => Number.NaN],
    ["gives infinity", () => Infinity]
  ]
  it.each(broken)("that %s has no sample", (_, observe) => {
    expect(Either.getOrThrow(Counter.observable("a", observe)).read()).toEqual([])
    expect(Either.getOrThrow(Gauge.observable("a", observe)).read()).toEqual([])
  })

  it("that is a counter has no sample below zero", () => {
    expect(Either.getOrThrow(Counter.observable("a", () => -1)).read()).toEqual([])
  })
})

import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, FastCheck } from "effect"
import * as Counter from "../../../src/observability/Counter.ts"
import * as Gauge from "../../../src/observability/Gauge.ts"
import * as Histogram from "../../../src/observability/Histogram.ts"
import { InvalidInstrument } from "../../../src/observability/Instrument.ts"
import { wellFormed } from "../../../src/observability/LabelRules.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import { isDistribution, type Series } from "../../../src/observability/Series.ts"
import { maxLabelLength } from "../../../src/observability/SeriesLimit.ts"
import { nasty } from "./Snapshots.ts"

const values = (series: ReadonlyArray<Series>) =>
  Object.fromEntries(series.map((item) => [item.labels.text, isDistribution(item) ? item.count : item.value]))

const refusal = <A>(made: Either.Either<A, InvalidInstrument>): string => Either.getOrThrow(Either.flip(made)).reason

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

describe("labels", () => {
  it.each(["", "1a", "a-b", "__name__", "a:b", "é"])("cannot be called %j", (label) => {
    expect(refusal(Counter.make("a", { labels: { [label]: "x" } }))).toContain(JSON.stringify(label))
    expect(Counter.family("a", { labels: [label] })).toSatisfy(Either.isLeft)
  })

  it("refuse a value that is not a string", () => {
    const labels: Record<string, string> = JSON.parse('{"a": 1}')
    expect(refusal(Counter.make("a", { labels }))).toBe("the label a is not a string")
  })

  it("refuse le on a histogram, which needs it for its buckets, and on nothing else", () => {
    expect(Histogram.make("a", { labels: { le: "1" } })).toSatisfy(Either.isLeft)
    expect(Histogram.family("a", { labels: ["le"] })).toSatisfy(Either.isLeft)
    expect(Counter.make("a", { labels: { le: "1" } })).toSatisfy(Either.isRight)
  })

  it.prop(
    "are the same in any order",
    [FastCheck.dictionary(FastCheck.constantFrom("a", "b", "c"), nasty)],
    ([given]) => {
      const reversed = Object.fromEntries(Object.entries(given).reverse())
      expect(Labels.of(reversed)).toEqual(Labels.of(given))
      expect(Object.keys(Labels.of(reversed).record)).toEqual(Object.keys(given).sort())
    }
  )

  it.prop("differ in their text when they differ", [nasty, nasty], ([a, b]) => {
    const same = wellFormed(a) === wellFormed(b)
    expect(Labels.of({ a }).text === Labels.of({ a: b }).text).toBe(same)
    expect(Labels.of({ a, b }).text === Labels.of({ a: b, b: a }).text).toBe(same)
  })
})

describe("a counter", () => {
  it("begins at 0 and grows by 1 or by what it is given", () => {
    const counter = Either.getOrThrow(Counter.make("a_total", { help: "All", labels: { b: "c" } }))
    expect(values(counter.read())).toEqual({ 'b="c"': 0 })
    counter.increment()
    counter.increment(0)
    counter.increment(2.5)
    expect(values(counter.read())).toEqual({ 'b="c"': 3.5 })
  })

  it.each([-1, -Number.MIN_VALUE, Number.NaN, Infinity, -Infinity])("refuses to grow by %d", (by) => {
    const counter = Either.getOrThrow(Counter.make("a"))
    expect(() => counter.increment(by)).toThrow(InvalidInstrument)
    expect(values(counter.read())).toEqual({ "": 0 })
  })

  it("refuses the finite step that would make it infinite", () => {
    const counter = Either.getOrThrow(Counter.make("a"))
    counter.increment(Number.MAX_VALUE)
    expect(() => counter.increment(Number.MAX_VALUE)).toThrow(InvalidInstrument)
    expect(values(counter.read())).toEqual({ "": Number.MAX_VALUE })
  })

  it.effect("fails with InvalidInstrument in its Effect form", () =>
    Effect.gen(function* () {
      const counter = yield* Counter.make("a")
      yield* Counter.increment(counter)
      yield* Counter.increment(counter, 2)
      const failure = yield* Effect.flip(Counter.increment(counter, -1))
      expect(failure).toBeInstanceOf(InvalidInstrument)
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
        expect(() => histogram.observe(bad)).toThrow(InvalidInstrument)
        expect(yield* Effect.flip(Histogram.observe(histogram, bad))).toBeInstanceOf(InvalidInstrument)
      }
      yield* Histogram.observe(histogram, 1)
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

describe("a write that the compiler did not see", () => {
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
      expect(refused(write, value)).toBeInstanceOf(InvalidInstrument)
    }
    expect(counter.read()).toEqual([{ labels: Labels.of({}), value: 0 }])
    expect(gauge.read()).toEqual([{ labels: Labels.of({}), value: 0 }])
    expect(histogram.read()).toEqual([{ labels: Labels.of({}), bounds: [1], counts: [0], sum: 0, count: 0 }])
  })

  it.effect("fails with InvalidInstrument in the Effect form, and the reason names its type", () =>
    Effect.gen(function* () {
      const text: number = JSON.parse('"1"')
      const failures = yield* Effect.all(
        [
          Counter.increment(yield* Counter.make("a_total"), text),
          Gauge.set(yield* Gauge.make("b"), text),
          Gauge.increment(yield* Gauge.make("b"), text),
          Gauge.decrement(yield* Gauge.make("b"), text),
          Histogram.observe(yield* Histogram.make("c"), text)
        ].map(Effect.flip)
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
    expect(() => gauge.decrement(Number.MAX_VALUE)).toThrow(InvalidInstrument)
    expect(values(gauge.read())).toEqual({ "": -Number.MAX_VALUE })
    const histogram = Either.getOrThrow(Histogram.make("c", { buckets: [1] }))
    histogram.observe(Number.MAX_VALUE)
    expect(() => histogram.observe(Number.MAX_VALUE)).toThrow(InvalidInstrument)
    expect(histogram.read()).toMatchObject([{ sum: Number.MAX_VALUE, count: 1 }])
  })
})

describe("an observable", () => {
  it("is asked at each reading", () => {
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

describe("a family", () => {
  it("gives the same child for the same labels, in any order", () => {
    const family = Either.getOrThrow(Counter.family("a", { labels: ["b", "c"] }))
    family.with({ b: "1", c: "2" }).increment()
    family.with({ c: "2", b: "1" }).increment()
    family.with({ b: "2", c: "1" }).increment(5)
    expect(values(family.read())).toEqual({ 'b="1",c="2"': 2, 'b="2",c="1"': 5 })
  })

  it.prop("never takes one set of labels for another", [FastCheck.array(FastCheck.tuple(nasty, nasty))], ([pairs]) => {
    const family = Either.getOrThrow(Gauge.family("a", { labels: ["b", "c"] }))
    for (const [b, c] of pairs) family.with({ b, c }).increment()
    const expected: Record<string, number> = {}
    for (const [b, c] of pairs) expected[Labels.of({ b, c }).text] = (expected[Labels.of({ b, c }).text] ?? 0) + 1
    expect(values(family.read())).toEqual(expected)
    expect(family.read()).toHaveLength(Object.keys(expected).length)
  })

  it("has no series of its own", () => {
    expect(Either.getOrThrow(Histogram.family("a", { labels: ["b"] })).read()).toEqual([])
  })

  it("needs distinct labels, not the one of the overflow, and a sensible limit", () => {
    expect(Counter.family("a", { labels: [] })).toSatisfy(Either.isLeft)
    expect(Counter.family("a", { labels: ["b", "b"] })).toSatisfy(Either.isLeft)
    expect(Counter.family("a", { labels: ["overflow"] })).toSatisfy(Either.isLeft)
    expect(Counter.family("a", { labels: ["b"], limit: 0 })).toSatisfy(Either.isLeft)
  })

  it("throws InvalidInstrument for a missing label", () => {
    const family = Either.getOrThrow(Counter.family<string>("a", { labels: ["b"] }))
    expect(() => family.with({ c: "1" })).toThrow(InvalidInstrument)
  })

  it("folds what exceeds 2,000 series into one, and loses no count", () => {
    const family = Either.getOrThrow(Counter.family("a", { labels: ["user"] }))
    for (let user = 0; user < 2_500; user++) family.with({ user: `${user}` }).increment()
    family.with({ user: "0" }).increment()
    const read = values(family.read())
    expect(Object.keys(read)).toHaveLength(2_001)
    expect(read['overflow="true"']).toBe(500)
    expect(read['user="0"']).toBe(2)
    expect(family.overflowed).toBe(true)
  })

  it("folds a value of any length, so that no input eats the memory", () => {
    const family = Either.getOrThrow(Counter.family("a", { labels: ["user"] }))
    family.with({ user: "x".repeat(maxLabelLength) }).increment()
    expect(family.overflowed).toBe(false)
    family.with({ user: "x".repeat(1_000_000) }).increment()
    expect(values(family.read())['overflow="true"']).toBe(1)
  })
})

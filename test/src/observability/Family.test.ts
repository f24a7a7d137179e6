import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as Counter from "../../../src/observability/Counter.ts"
import * as Gauge from "../../../src/observability/Gauge.ts"
import * as Histogram from "../../../src/observability/Histogram.ts"
import { InvalidInstrument } from "../../../src/observability/Instrument.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import { maxLabelLength } from "../../../src/observability/internal/snapshot/SeriesLimit.ts"
import { nasty } from "./Snapshots.ts"
import { values } from "./Snapshots.ts"

describe("a family", () => {
  it("gives the same child for the same labels, in any order", () => {
    const family = Either.getOrThrow(Counter.family("a", { labels: ["b", "c"] }))
    family.with({ b: "1", c: "2" }).increment()
    family.with({ c: "2", b: "1" }).increment()
    family.with({ b: "2", c: "1" }).increment(5)
    expect(values(family.read())).toEqual({ 'b="1",c="2"': 2, 'b="2",c="1"': 5 })
  })

  it.prop("never confuses two sets of labels", [FastCheck.array(FastCheck.tuple(nasty, nasty))], ([pairs]) => {
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

  it("needs distinct labels, none called overflow, and a positive limit", () => {
    expect(Counter.family("a", { labels: [] })).toSatisfy(Either.isLeft)
    expect(Counter.family("a", { labels: ["b", "b"] })).toSatisfy(Either.isLeft)
    expect(Counter.family("a", { labels: ["overflow"] })).toSatisfy(Either.isLeft)
    expect(Counter.family("a", { labels: ["b"], limit: 0 })).toSatisfy(Either.isLeft)
  })

  it("throws InvalidInstrument for a missing label", () => {
    const family = Either.getOrThrow(Counter.family<string>("a", { labels: ["b"] }))
    expect(() => family.with({ c: "1" })).toThrow(InvalidInstrument)
  })

  it("sums series beyond 2,000 in one, and loses no count", () => {
    const family = Either.getOrThrow(Counter.family("a", { labels: ["user"] }))
    for (let user = 0; user < 2_500; user++) family.with({ user: `${user}` }).increment()
    family.with({ user: "0" }).increment()
    const read = values(family.read())
    expect(Object.keys(read)).toHaveLength(2_001)
    expect(read['overflow="true"']).toBe(500)
    expect(read['user="0"']).toBe(2)
    expect(family.overflowed).toBe(true)
  })

  it("counts long label values in the overflow series, so that no input fills the memory", () => {
    const family = Either.getOrThrow(Counter.family("a", { labels: ["user"] }))
    family.with({ user: "x".repeat(maxLabelLength) }).increment()
    expect(family.overflowed).toBe(false)
    family.with({ user: "x".repeat(1_000_000) }).increment()
    expect(values(family.read())['overflow="true"']).toBe(1)
  })
})

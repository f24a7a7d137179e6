import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as Counter from "../../../src/observability/Counter.ts"
import * as Histogram from "../../../src/observability/Histogram.ts"
import type { InvalidInstrument } from "../../../src/observability/Instrument.ts"
import { wellFormed } from "../../../src/observability/internal/LabelRules.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import { nasty } from "./Snapshots.ts"

const refusal = <A>(made: Either.Either<A, InvalidInstrument>): string => Either.getOrThrow(Either.flip(made)).reason

describe("labels", () => {
  it.each(["", "1a", "a-b", "__name__", "a:b", "é"])("cannot be called %j", (label) => {
    expect(refusal(Counter.make("a", { labels: { [label]: "x" } }))).toContain(JSON.stringify(label))
    expect(Counter.family("a", { labels: [label] })).toSatisfy(Either.isLeft)
  })

  it("refuse a value that is not a string", () => {
    const labels: Record<string, string> = JSON.parse('{"a": 1}')
    expect(refusal(Counter.make("a", { labels }))).toBe("the label a is not a string")
  })

  it("refuse le on a histogram only, which adds it to its buckets", () => {
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

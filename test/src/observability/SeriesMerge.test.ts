import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Labels from "../../../src/observability/Labels.ts"
import type { Distribution } from "../../../src/observability/internal/snapshot/Series.ts"
import * as SeriesMerge from "../../../src/observability/internal/snapshot/SeriesMerge.ts"

const key = ([name]: readonly [string, number]) => name
const add = (a: readonly [string, number], b: readonly [string, number]) => [a[0], a[1] + b[1]] as const

const sorted = FastCheck.dictionary(FastCheck.constantFrom("", "a", "aa", "b", "c", "é"), FastCheck.nat()).map(
  (record) => Object.entries(record).sort(([a], [b]) => SeriesMerge.compare(a, b))
)

const labels = Labels.of({})
const distribution = (bounds: ReadonlyArray<number>): Distribution => ({
  labels,
  bounds,
  counts: bounds.map((_, at) => at + 1),
  sum: 1.5,
  count: bounds.length + 1
})

describe("SeriesMerge", () => {
  it.prop("merges two sorted lists into one, with equal keys joined", [sorted, sorted], ([left, right]) => {
    const expected = new Map<string, number>()
    for (const [name, value] of [...left, ...right]) expected.set(name, (expected.get(name) ?? 0) + value)
    const merged = SeriesMerge.mergeSorted<readonly [string, number]>(left, right, key, add)
    expect(merged).toEqual([...expected].sort(([a], [b]) => SeriesMerge.compare(a, b)))
  })

  it.prop("merges help texts in either order to the same one", [FastCheck.string(), FastCheck.string()], ([a, b]) => {
    expect(SeriesMerge.mergeHelp(a, b)).toBe(SeriesMerge.mergeHelp(b, a))
    expect([a, b]).toContain(SeriesMerge.mergeHelp(a, b))
  })

  it("keeps the first of two series with the same labels", () => {
    const series = ["b", "a", "b"].map((name, value) => ({ labels: Labels.of({ name }), value }))
    expect(SeriesMerge.sortUnique(series).map((item) => [item.labels.text, "value" in item && item.value])).toEqual([
      ['name="a"', 1],
      ['name="b"', 0]
    ])
  })

  it("adds distributions only of the same bounds", () => {
    expect(SeriesMerge.addDistributions(distribution([1, 2]), distribution([1, 2]))).toEqual({
      labels,
      bounds: [1, 2],
      counts: [2, 4],
      sum: 3,
      count: 6
    })
    expect(SeriesMerge.addDistributions(distribution([1, 2]), distribution([1, 3]))).toBeUndefined()
    expect(SeriesMerge.addDistributions(distribution([1, 2]), distribution([1]))).toBeUndefined()
  })

  it.each([
    ["a_count", "counter", true],
    ["a_bucket", "gauge", true],
    ["b", "histogram", true],
    ["a_total", "counter", false],
    ["c", "histogram", false],
    ["b_count", "counter", false]
  ] as const)("%s, a %s, clashes with a histogram a and a counter b_sum: %s", (name, type, expected) => {
    const present = new Map([
      ["a", { type: "histogram" }],
      ["b_sum", { type: "counter" }]
    ] as const)
    expect(SeriesMerge.clashes(present, name, type)).toBe(expected)
  })
})

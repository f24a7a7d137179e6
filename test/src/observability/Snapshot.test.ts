import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import { arbitrary, at, conflicts, counter, gauge, histogram, peaceable } from "./Snapshots.ts"

const empty = Snapshot.make(0, [])

const sampleOf = ({ metrics }: Snapshot.Snapshot, name: string) => metrics.get(name)?.series[0]

describe("a snapshot", () => {
  it.prop("lists names and labels in order, whatever the order of the readings", [arbitrary], ([snapshot]) => {
    const names = [...snapshot.metrics.keys()]
    expect(names).toEqual([...names].sort())
    for (const { series } of snapshot.metrics.values()) {
      const texts = series.map(({ labels }) => labels.text)
      expect(texts).toEqual([...new Set(texts)].sort())
    }
  })

  it("keeps the first of two conflicting readings, and counts the other", () => {
    const snapshot = at(1, counter("a", 1), gauge("a", 2), counter("b", 1), counter("b", 2))
    expect(sampleOf(snapshot, "a")).toMatchObject({ value: 1 })
    expect(sampleOf(snapshot, "b")).toMatchObject({ value: 1 })
    expect(conflicts(snapshot)).toBe(2)
  })

  it("keeps no name that a histogram prints", () => {
    expect([...at(1, histogram("a", [1]), counter("a_count", 1)).metrics.keys()]).toEqual([
      "a",
      "metrics_merge_conflicts_total"
    ])
    expect([...at(1, counter("a_sum", 1), histogram("a", [1])).metrics.keys()]).toEqual([
      "a_sum",
      "metrics_merge_conflicts_total"
    ])
  })
})

describe("merge", () => {
  it("adds counters, gauges and histograms of the same labels and puts the others side by side", () => {
    const one = at(1, counter("a", 1, { b: "c" }), gauge("g", 2), histogram("h", [1, 5]))
    const two = at(2, counter("a", 10, { b: "d" }), gauge("g", -5), histogram("h", [1, 5]))
    const merged = Snapshot.merge(one, two)
    expect(merged.timestamp).toBe(2)
    expect(merged.metrics.get("a")?.series).toMatchObject([{ value: 1 }, { value: 10 }])
    expect(sampleOf(merged, "g")).toMatchObject({ value: -3 })
    expect(sampleOf(merged, "h")).toMatchObject({ bounds: [1, 5], counts: [2, 2], sum: 4, count: 4 })
    expect(conflicts(merged)).toBe(0)
  })

  it("takes the largest of gauges whose aggregation is max, though only one of the snapshots says so", () => {
    const depth = (value: number) => ({ ...gauge("depth", value), aggregation: "max" as const })
    const merged = Snapshot.merge(at(1, depth(7)), at(2, depth(3)))
    expect(merged.metrics.get("depth")).toMatchObject({ aggregation: "max", series: [{ value: 7 }] })
    expect(sampleOf(Snapshot.merge(at(1, gauge("depth", 2)), at(2, depth(3))), "depth")).toMatchObject({ value: 3 })
    expect(sampleOf(Snapshot.merge(at(1, depth(2)), at(2, gauge("depth", 3))), "depth")).toMatchObject({ value: 3 })
    expect(sampleOf(Snapshot.merge(at(1, depth(Number.NaN)), at(2, depth(-1))), "depth")).toMatchObject({ value: -1 })
  })

  it.prop("does not depend on the order", [peaceable, peaceable], ([a, b]) => {
    expect(Snapshot.merge(a, b)).toEqual(Snapshot.merge(b, a))
  })

  it.prop("does not depend on the grouping", [peaceable, peaceable, peaceable], ([a, b, c]) => {
    expect(Snapshot.merge(Snapshot.merge(a, b), c)).toEqual(Snapshot.merge(a, Snapshot.merge(b, c)))
  })

  it.prop("with the empty snapshot changes nothing", [arbitrary], ([a]) => {
    expect(Snapshot.merge(a, empty)).toEqual(a)
    expect(Snapshot.merge(empty, a)).toEqual(a)
  })

  it.prop("does not change its arguments", [arbitrary, arbitrary], ([a, b]) => {
    const before = structuredClone([a, b])
    Snapshot.merge(a, b)
    expect(structuredClone([a, b])).toEqual(before)
  })

  it.prop("loses nothing and invents nothing", [FastCheck.array(peaceable, { maxLength: 5 })], ([all]) => {
    const total = (snapshots: ReadonlyArray<Snapshot.Snapshot>) => {
      const sums = new Map<string, number>()
      for (const { metrics } of snapshots) {
        for (const [name, metric] of metrics) {
          const isMax = metric.type === "gauge" && metric.aggregation === "max"
          for (const item of metric.series) {
            const key = `${name}{${item.labels.text}}`
            const value = "value" in item ? item.value : item.sum * 1e6 + item.count
            sums.set(key, isMax ? Math.max(sums.get(key) ?? 0, value) : (sums.get(key) ?? 0) + value)
          }
        }
      }
      return new Map([...sums].sort())
    }
    expect(total([all.reduce(Snapshot.merge, empty)])).toEqual(total(all))
  })

  it("keeps the first type of a name and counts the conflict", () => {
    const merged = Snapshot.merge(at(1, counter("a", 1)), at(2, gauge("a", 5)))
    expect(merged.metrics.get("a")).toMatchObject({ type: "counter", series: [{ value: 1 }] })
    expect(conflicts(merged)).toBe(1)
    const reversed = Snapshot.merge(at(2, histogram("a", [1])), at(1, counter("a", 1)))
    expect(reversed.metrics.get("a")?.type).toBe("histogram")
    expect(conflicts(reversed)).toBe(1)
  })

  it("keeps the first bounds of a series and counts the conflict", () => {
    const merged = Snapshot.merge(at(1, histogram("a", [1, 2])), at(2, histogram("a", [1, 3])))
    expect(sampleOf(merged, "a")).toMatchObject({ bounds: [1, 2], count: 2 })
    expect(conflicts(merged)).toBe(1)
    expect(conflicts(Snapshot.merge(at(1, histogram("a", [1])), at(2, histogram("a", [1, 3]))))).toBe(1)
  })

  it("keeps the first of two names that would print the same and counts the conflict", () => {
    const merged = Snapshot.merge(at(1, histogram("a", [1])), at(2, counter("a_count", 7)))
    expect(merged.metrics.has("a_count")).toBe(false)
    expect(conflicts(merged)).toBe(1)
    expect(Snapshot.merge(at(2, counter("a_bucket", 7)), at(1, histogram("a", [1]))).metrics.has("a")).toBe(false)
  })

  it("adds up the conflicts that its parts have counted", () => {
    const one = at(1, counter("a", 1), gauge("a", 1))
    expect(conflicts(Snapshot.merge(one, Snapshot.merge(one, at(2, gauge("a", 1)))))).toBe(3)
  })

  it("prefers a help text to an empty one, independent of the order", () => {
    const silent = at(1, counter("a", 1))
    const helpful = at(1, { ...counter("a", 1), help: "words" })
    const other = at(1, { ...counter("a", 1), help: "more words" })
    const help = (...all: ReadonlyArray<Snapshot.Snapshot>) => all.reduce(Snapshot.merge, empty).metrics.get("a")?.help
    expect([help(silent, helpful), help(helpful, silent)]).toEqual(["words", "words"])
    expect(help(other, helpful)).toBe(help(helpful, other))
  })
})

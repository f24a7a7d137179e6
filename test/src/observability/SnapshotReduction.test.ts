import { describe, expect, it } from "@effect/vitest"
import * as Labels from "../../../src/observability/Labels.ts"
import type { Series } from "../../../src/observability/internal/snapshot/Series.ts"
import { overflow } from "../../../src/observability/internal/snapshot/SeriesLimit.ts"
import type * as Snapshot from "../../../src/observability/Snapshot.ts"
import * as SnapshotReduction from "../../../src/observability/internal/snapshot/SnapshotReduction.ts"
import { at, conflicts, counter, gauge, histogram } from "./Snapshots.ts"

describe("without gauges", () => {
  it("keeps counters and histograms", () => {
    const lasting = SnapshotReduction.withoutGauges(at(1, counter("a", 1), gauge("b", 1), histogram("c", [1])))
    expect([...lasting.metrics.keys()]).toEqual(["a", "c"])
  })
})

describe("a limited snapshot", () => {
  const many = (type: Snapshot.Reading["type"], series: ReadonlyArray<Series>) =>
    at(1, { name: "a", type, help: "", series })
  const pids = (count: number) => Array.from({ length: count }, (_, pid) => Labels.of({ pid: `${pid}` }))

  it("sums counters beyond the limit in one series", () => {
    const bounded = SnapshotReduction.limited(
      many(
        "counter",
        pids(10).map((labels) => ({ labels, value: 2 }))
      ),
      4
    )
    const series = bounded.metrics.get("a")?.series
    expect(series).toHaveLength(5)
    expect(series?.find(({ labels }) => labels.text === 'overflow="true"')).toMatchObject({ value: 12 })
    expect(SnapshotReduction.limited(bounded, 4)).toEqual(bounded)
  })

  it("sums histograms of the same bounds and counts the others as conflicts", () => {
    const series = pids(5).map((labels, index) => ({
      labels,
      bounds: [index === 4 ? 9 : 1],
      counts: [1],
      sum: 1,
      count: 1
    }))
    const bounded = SnapshotReduction.limited(many("histogram", series), 2)
    expect(bounded.metrics.get("a")?.series).toContainEqual({
      labels: overflow,
      bounds: [1],
      counts: [2],
      sum: 2,
      count: 2
    })
    expect(conflicts(bounded)).toBe(1)
  })
})

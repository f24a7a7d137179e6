import { describe, expect, it } from "@effect/vitest"
import * as Labels from "../../../src/observability/Labels.ts"
import * as OpenMetrics from "../../../src/observability/OpenMetrics.ts"
import * as Prometheus from "../../../src/observability/Prometheus.ts"
import type * as Snapshot from "../../../src/observability/Snapshot.ts"
import * as Exposition from "./Exposition.ts"
import * as OpenMetricsText from "./OpenMetricsText.ts"
import { at, counter, gauge } from "./Snapshots.ts"

const quantiles: Snapshot.Reading = {
  ...gauge("size", 0),
  series: ["0.5", "0.99"].map((quantile) => ({ labels: Labels.of({ quantile }), value: Number(quantile) }))
}

describe("quantiles with their sum and count", () => {
  it("are one summary in both texts, though another name stands between them", () => {
    const snapshot = at(1, quantiles, gauge("size_a", 1), counter("size_sum", 3), counter("size_count", 2))
    const text = Prometheus.exporter.export(snapshot)
    expect(text).toBe(
      [
        "# HELP size size",
        "# TYPE size summary",
        'size{quantile="0.5"} 0.5',
        'size{quantile="0.99"} 0.99',
        "size_sum 3",
        "size_count 2",
        "# HELP size_a size_a",
        "# TYPE size_a gauge",
        "size_a 1",
        ""
      ].join("\n")
    )
    expect([...Exposition.parse(text)].map(([name, { type }]) => `${name} ${type}`)).toEqual([
      "size summary",
      "size_a gauge"
    ])
    expect(OpenMetrics.exporter.export(snapshot)).toBe(`${text}# EOF\n`)
    expect(OpenMetricsText.parse(OpenMetrics.exporter.export(snapshot)).get("size")?.samples.size).toBe(4)
  })

  it.each([
    ["a label is missing", at(1, gauge("size", 1), counter("size_sum", 3), counter("size_count", 2))],
    ["the count is missing", at(1, quantiles, counter("size_sum", 3))],
    ["the sum is a gauge", at(1, quantiles, gauge("size_sum", 3), counter("size_count", 2))]
  ])("stay three metrics when %s", (_, snapshot) => {
    const text = Prometheus.exporter.export(snapshot)
    expect(text).not.toContain("summary")
    expect([...Exposition.parse(text).keys()]).toEqual([...snapshot.metrics.keys()])
  })
})

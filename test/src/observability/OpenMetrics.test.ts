import { describe, expect, it } from "@effect/vitest"
import * as Labels from "../../../src/observability/Labels.ts"
import * as OpenMetrics from "../../../src/observability/OpenMetrics.ts"
import * as Prometheus from "../../../src/observability/Prometheus.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import * as Exposition from "./Exposition.ts"
import * as OpenMetricsText from "./OpenMetricsText.ts"
import { arbitrary, example } from "./Snapshots.ts"

describe("OpenMetrics", () => {
  it("drops _total from the family, prints canonical bounds and ends with # EOF", () => {
    expect(OpenMetrics.exporter.export(example)).toBe(
      [
        "# HELP heat Of the\\nroom \\\\",
        "# TYPE heat gauge",
        "heat -0.5",
        "# HELP requests requests_total",
        "# TYPE requests counter",
        'requests_total{path="a\\"\\\\\\n"} 3',
        "# HELP wait_seconds Waiting",
        "# TYPE wait_seconds histogram",
        'wait_seconds_bucket{b="c",le="0.5"} 1',
        'wait_seconds_bucket{b="c",le="1.0"} 2',
        'wait_seconds_bucket{b="c",le="1e+06"} 2',
        'wait_seconds_bucket{b="c",le="+Inf"} 3',
        'wait_seconds_sum{b="c"} 12.5',
        'wait_seconds_count{b="c"} 3',
        "# EOF",
        ""
      ].join("\n")
    )
  })

  it("uses the type unknown when the family of a counter clashes with another", () => {
    const one = (name: string, type: "counter" | "gauge"): Snapshot.Reading => ({
      name,
      type,
      help: "",
      series: [{ labels: Labels.of({}), value: 1 }]
    })
    const all = Snapshot.make(1, [one("a_total", "counter"), one("a", "gauge"), one("b", "counter")])
    const types = [...OpenMetricsText.parse(OpenMetrics.exporter.export(all))].map(([name, { type }]) => [name, type])
    expect(types).toEqual([
      ["a", "gauge"],
      ["a_total", "unknown"],
      ["b", "unknown"]
    ])
  })

  it.prop(
    "is parsed by a strict parser, with the same sample names as the Prometheus text",
    [arbitrary],
    ([snapshot]) => {
      const names = (families: ReadonlyMap<string, { samples: ReadonlyMap<string, number> }>) =>
        new Set(
          [...families].flatMap(([name, { samples }]) => [...samples].map(([key, value]) => `${name}${key} ${value}`))
        )
      const strict = OpenMetricsText.parse(OpenMetrics.exporter.export(snapshot))
      const older = names(Exposition.parse(Prometheus.exporter.export(snapshot)))
      const numeric = (line: string) =>
        line.replace(/\["le","([^"]*)"\]/, (_, bound: string) => `["le","${bound === "+Inf" ? bound : Number(bound)}"]`)
      for (const line of names(strict)) expect(older).toContain(numeric(line))
    }
  )
})

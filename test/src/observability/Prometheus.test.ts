import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import * as Labels from "../../../src/observability/Labels.ts"
import * as Prometheus from "../../../src/observability/Prometheus.ts"
import { isDistribution, type Metric } from "../../../src/observability/internal/snapshot/Series.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import * as Exposition from "./Exposition.ts"
import { arbitrary, example } from "./Snapshots.ts"

const key = (part: string, record: Readonly<Record<string, string>>) =>
  part + Exposition.canonical(Object.entries(record))

/** What a reader must find, told by the snapshot itself. */
const samples = ({ series }: Metric): ReadonlyMap<string, number> =>
  new Map(
    series.flatMap((item): ReadonlyArray<readonly [string, number]> => {
      const { record } = item.labels
      if (!isDistribution(item)) return [[key("", record), item.value]]
      return [
        ...item.bounds.map(
          (bound, index) => [key("_bucket", { ...record, le: `${bound}` }), item.counts[index] ?? 0] as const
        ),
        [key("_bucket", { ...record, le: "+Inf" }), item.count],
        [key("_sum", record), item.sum],
        [key("_count", record), item.count]
      ]
    })
  )

const shown = ({ metrics }: Snapshot.Snapshot) => [...metrics].filter(([, { series }]) => series.length > 0)

describe("the text exposition", () => {
  it("prints help, type and samples; an empty help is the name", () => {
    expect(Prometheus.exporter.export(example)).toBe(
      [
        "# HELP heat Of the\\nroom \\\\",
        "# TYPE heat gauge",
        "heat -0.5",
        "# HELP requests_total requests_total",
        "# TYPE requests_total counter",
        'requests_total{path="a\\"\\\\\\n"} 3',
        "# HELP wait_seconds Waiting",
        "# TYPE wait_seconds histogram",
        'wait_seconds_bucket{b="c",le="0.5"} 1',
        'wait_seconds_bucket{b="c",le="1"} 2',
        'wait_seconds_bucket{b="c",le="1000000"} 2',
        'wait_seconds_bucket{b="c",le="+Inf"} 3',
        'wait_seconds_sum{b="c"} 12.5',
        'wait_seconds_count{b="c"} 3',
        ""
      ].join("\n")
    )
  })

  it("names its type and version", () => {
    expect(Prometheus.exporter.contentType).toBe("text/plain; version=0.0.4; charset=utf-8")
  })

  it("prefixes every name with the namespace, and refuses an invalid one", () => {
    const text = Either.getOrThrow(Prometheus.exporterWith("app")).export(example)
    expect([...Exposition.parse(text).keys()]).toEqual(["app_heat", "app_requests_total", "app_wait_seconds"])
    expect(Prometheus.exporterWith("a-b")).toSatisfy(Either.isLeft)
    expect(Either.getOrThrow(Prometheus.exporterWith("")).export(example)).toBe(Prometheus.exporter.export(example))
  })

  it("prints NaN, infinities and the sign of a zero", () => {
    const series = [Number.NaN, Infinity, -Infinity, -0].map((value, i) => ({
      labels: Labels.of({ i: `${i}` }),
      value
    }))
    const text = Prometheus.exporter.export(Snapshot.make(1, [{ name: "a", type: "gauge", help: "", series }]))
    expect(text.split("\n").slice(2, 6)).toEqual(['a{i="0"} NaN', 'a{i="1"} +Inf', 'a{i="2"} -Inf', 'a{i="3"} -0'])
  })

  it.prop("is parsed by a strict parser to exactly the same values", [arbitrary], ([snapshot]) => {
    const families = Exposition.parse(Prometheus.exporter.export(snapshot))
    expect([...families.keys()]).toEqual(shown(snapshot).map(([name]) => name))
    for (const [name, metric] of shown(snapshot)) {
      const family = families.get(name)
      expect(family?.type).toBe(metric.type)
      expect(family?.help).toBe(metric.help === "" ? name : metric.help)
      expect(family?.samples).toEqual(samples(metric))
    }
  })
})

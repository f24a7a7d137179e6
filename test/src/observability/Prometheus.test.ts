import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import * as Labels from "../../../src/observability/Labels.ts"
import { acceptsOpenMetrics } from "../../../src/observability/MetricsNegotiation.ts"
import * as OpenMetrics from "../../../src/observability/OpenMetrics.ts"
import * as Prometheus from "../../../src/observability/Prometheus.ts"
import { isDistribution, type Metric } from "../../../src/observability/Series.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import * as Exposition from "./Exposition.ts"
import * as OpenMetricsText from "./OpenMetricsText.ts"
import { arbitrary } from "./Snapshots.ts"

const example = Snapshot.make(1, [
  { name: "requests_total", type: "counter", help: "", series: [{ labels: Labels.of({ path: 'a"\\\n' }), value: 3 }] },
  { name: "heat", type: "gauge", help: "Of the\nroom \\", series: [{ labels: Labels.of({}), value: -0.5 }] },
  {
    name: "wait_seconds",
    type: "histogram",
    help: "Waiting",
    series: [{ labels: Labels.of({ b: "c" }), bounds: [0.5, 1, 1e6], counts: [1, 2, 2], sum: 12.5, count: 3 }]
  }
])

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

  it("puts a namespace before every name, and refuses one that cannot be printed", () => {
    const text = Either.getOrThrow(Prometheus.exporterWith("app")).export(example)
    expect([...Exposition.parse(text).keys()]).toEqual(["app_heat", "app_requests_total", "app_wait_seconds"])
    expect(Prometheus.exporterWith("a-b")).toSatisfy(Either.isLeft)
    expect(Either.getOrThrow(Prometheus.exporterWith("")).export(example)).toBe(Prometheus.encode(example))
  })

  it("prints what is no number, infinities, and the sign of a zero", () => {
    const series = [Number.NaN, Infinity, -Infinity, -0].map((value, i) => ({
      labels: Labels.of({ i: `${i}` }),
      value
    }))
    const text = Prometheus.encode(Snapshot.make(1, [{ name: "a", type: "gauge", help: "", series }]))
    expect(text.split("\n").slice(2, 6)).toEqual(['a{i="0"} NaN', 'a{i="1"} +Inf', 'a{i="2"} -Inf', 'a{i="3"} -0'])
  })

  it.prop("is read by a strict reader as exactly what was measured", [arbitrary], ([snapshot]) => {
    const families = Exposition.parse(Prometheus.encode(snapshot))
    expect([...families.keys()]).toEqual(shown(snapshot).map(([name]) => name))
    for (const [name, metric] of shown(snapshot)) {
      const family = families.get(name)
      expect(family?.type).toBe(metric.type)
      expect(family?.help).toBe(metric.help === "" ? name : metric.help)
      expect(family?.samples).toEqual(samples(metric))
    }
  })
})

describe("OpenMetrics", () => {
  it("drops _total from the family, prints bounds canonically and ends with its mark", () => {
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

  it("calls a counter unknown when its family would be taken for another", () => {
    const one = (name: string, type: "counter" | "gauge"): Snapshot.Reading => ({
      name,
      type,
      help: "",
      series: [{ labels: Labels.of({}), value: 1 }]
    })
    const all = Snapshot.make(1, [one("a_total", "counter"), one("a", "gauge"), one("b", "counter")])
    const types = [...OpenMetricsText.parse(OpenMetrics.encode(all))].map(([name, { type }]) => [name, type])
    expect(types).toEqual([
      ["a", "gauge"],
      ["a_total", "unknown"],
      ["b", "unknown"]
    ])
  })

  it.prop("is read by a strict reader, under the same sample names as the older text", [arbitrary], ([snapshot]) => {
    const names = (families: ReadonlyMap<string, { samples: ReadonlyMap<string, number> }>) =>
      new Set(
        [...families].flatMap(([name, { samples }]) => [...samples].map(([key, value]) => `${name}${key} ${value}`))
      )
    const strict = OpenMetricsText.parse(OpenMetrics.encode(snapshot))
    const older = names(Exposition.parse(Prometheus.encode(snapshot)))
    const numeric = (line: string) =>
      line.replace(/\["le","([^"]*)"\]/, (_, bound: string) => `["le","${bound === "+Inf" ? bound : Number(bound)}"]`)
    for (const line of names(strict)) expect(older).toContain(numeric(line))
  })

  it.each([
    ["application/openmetrics-text; version=1.0.0", true],
    ['application/openmetrics-text;version="1.0.0";charset=utf-8, */*;q=0.1', true],
    ["application/openmetrics-text", false],
    ["application/openmetrics-text; version=0.0.1", false],
    ["application/openmetrics-text; version=1.0.0; q=0", false],
    [
      "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
      false
    ],
    ["text/plain", false],
    [undefined, false]
  ])("is what a scraper asks for with %j: %j", (accept, asked) => {
    expect(acceptsOpenMetrics(accept)).toBe(asked)
  })
})

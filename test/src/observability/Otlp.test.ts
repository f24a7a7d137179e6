import { describe, expect, it } from "@effect/vitest"
import * as Labels from "../../../src/observability/Labels.ts"
import * as Otlp from "../../../src/observability/Otlp.ts"
import { isDistribution, type Series, type Type } from "../../../src/observability/internal/snapshot/Series.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import { VERSION } from "../../../src/config/internal/Version.ts"
import * as OtlpRequest from "./OtlpRequest.ts"
import { arbitrary } from "./Snapshots.ts"

type Options = Parameters<typeof Otlp.exporter>[0]

const kinds = { counter: "sum", gauge: "gauge", histogram: "histogram" } as const

const attributes = (record: Readonly<Record<string, string>>) =>
  JSON.stringify(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

describe("the OTLP request", () => {
  it("is what the protocol's JSON encoding says, 64-bit numbers as texts and buckets no longer cumulative", () => {
    const snapshot = Snapshot.make(1700000000.123, [
      { name: "a_total", type: "counter", help: "All", series: [{ labels: Labels.of({ b: "c" }), value: 2 }] },
      {
        name: "h",
        type: "histogram",
        help: "",
        series: [{ labels: Labels.of({}), bounds: [1, 5], counts: [1, 3], sum: 9.5, count: 4 }]
      }
    ])
    const start = "1600000000000000000"
    const time = "1700000000123000000"
    expect(JSON.parse(Otlp.exporter({ start: 1600000000 }).export(snapshot))).toEqual({
      resourceMetrics: [
        {
          resource: { attributes: [{ key: "service.name", value: { stringValue: "framework-service" } }] },
          scopeMetrics: [
            {
              scope: { name: "framework.observability", version: VERSION },
              metrics: [
                {
                  name: "a_total",
                  description: "All",
                  unit: "1",
                  sum: {
                    aggregationTemporality: 2,
                    isMonotonic: true,
                    dataPoints: [
                      {
                        attributes: [{ key: "b", value: { stringValue: "c" } }],
                        startTimeUnixNano: start,
                        timeUnixNano: time,
                        asDouble: 2
                      }
                    ]
                  }
                },
                {
                  name: "h",
                  description: "",
                  histogram: {
                    aggregationTemporality: 2,
                    dataPoints: [
                      {
                        attributes: [],
                        startTimeUnixNano: start,
                        timeUnixNano: time,
                        count: "4",
                        sum: 9.5,
                        bucketCounts: ["1", "2", "1"],
                        explicitBounds: [1, 5]
                      }
                    ]
                  }
                }
              ]
            }
          ]
        }
      ]
    })
  })

  it("names the given service and scope; only the default scope has the version of this package", () => {
    const request = (options: Omit<Options, "start">) =>
      OtlpRequest.parse(Otlp.exporter({ ...options, start: 0 }).export(Snapshot.make(0, [])))
    expect(request({ service: "shop", scope: "s" })).toMatchObject({
      service: "shop",
      scope: "s",
      scopeVersion: undefined
    })
    expect(request({ scope: "s", scopeVersion: "2" })).toMatchObject({ scope: "s", scopeVersion: "2" })
    expect(request({})).toMatchObject({ scope: "framework.observability", scopeVersion: VERSION })
  })

  it("has the given attributes of the resource, each once", () => {
    const resource = (options: Omit<Options, "start">) =>
      OtlpRequest.parse(Otlp.exporter({ ...options, start: 0 }).export(Snapshot.make(0, []))).resource
    expect(resource({})).toEqual({ "service.name": "framework-service" })
    const attributes = { "service.version": "1.2", "service.name": "kiosk", "deployment.environment": "staging" }
    expect(resource({ attributes })).toEqual(attributes)
    expect(resource({ attributes, service: "shop" })).toEqual({ ...attributes, "service.name": "shop" })
  })

  const units: ReadonlyArray<readonly [string, Type, string | undefined]> = [
    ["http_request_duration_seconds", "histogram", "s"],
    ["process_cpu_seconds_total", "counter", "s"],
    ["process_memory_bytes", "gauge", "By"],
    ["http_bytes_read_total", "counter", "By"],
    ["http_sent_bytes_total", "counter", "By"],
    ["runtime_gc_collected_total", "counter", "By"],
    ["http_requests_total", "counter", "{request}"],
    ["http_requests_in_flight", "gauge", "{request}"],
    ["orders_total", "counter", "1"],
    ["disk_free_ratio", "gauge", "1"],
    ["orders_waiting", "gauge", undefined],
    ["order_price_euros", "histogram", undefined],
    ["seconds", "gauge", "s"],
    ["parsecs", "gauge", undefined]
  ]
  it.each(units)("gives %s, a %s, the unit %s", (name, type, unit) => {
    const series: ReadonlyArray<Series> =
      type === "histogram"
        ? [{ labels: Labels.of({}), bounds: [1], counts: [1], sum: 1, count: 1 }]
        : [{ labels: Labels.of({}), value: 1 }]
    const snapshot = Snapshot.make(1, [{ name, type, help: "", series }])
    expect(OtlpRequest.parse(Otlp.exporter({ start: 0 }).export(snapshot)).metrics.get(name)?.unit).toBe(unit)
    const told = Otlp.exporter({ start: 0, units: { [name]: "EUR" } }).export(snapshot)
    expect(OtlpRequest.parse(told).metrics.get(name)?.unit).toBe("EUR")
  })

  it("never ends before it began, though a clock was set back", () => {
    const snapshot = Snapshot.make(10, [
      { name: "a", type: "counter", help: "", series: [{ labels: Labels.of({}), value: 1 }] }
    ])
    const point = OtlpRequest.parse(Otlp.exporter({ start: 20 }).export(snapshot))
      .metrics.get("a")
      ?.points.get("[]")
    expect(point).toMatchObject({ start: 10_000_000_000n, time: 10_000_000_000n })
  })

  it.prop("is parsed by a strict parser to exactly the same values", [arbitrary], ([snapshot]) => {
    const { metrics } = OtlpRequest.parse(Otlp.exporter({ start: 0 }).export(snapshot))
    const shown = [...snapshot.metrics].filter(([, { series }]) => series.length > 0)
    expect([...metrics.keys()]).toEqual(shown.map(([name]) => name))
    for (const [name, metric] of shown) {
      const found = metrics.get(name)
      expect(found?.kind).toBe(kinds[metric.type])
      expect(found?.description).toBe(metric.help)
      expect(found?.points.size).toBe(metric.series.length)
      for (const item of metric.series) {
        const point = found?.points.get(attributes(item.labels.record))
        // JSON has one zero: minus nothing comes back as nothing.
        if (!isDistribution(item)) expect(point?.value).toBe(item.value + 0)
        else {
          let cumulative = 0
          const counts = point?.bucketCounts?.map((count) => (cumulative += count))
          expect(counts).toEqual([...item.counts, item.count])
          expect(point?.explicitBounds).toEqual(item.bounds)
          const falling = (item.bounds[0] ?? 0) < 0 || item.sum < 0
          expect(point?.sum).toBe(falling ? undefined : item.sum + 0)
        }
      }
    }
  })
})

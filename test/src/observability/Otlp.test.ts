import { describe, expect, it } from "@effect/vitest"
import * as Labels from "../../../src/observability/Labels.ts"
import * as Otlp from "../../../src/observability/Otlp.ts"
import { isDistribution } from "../../../src/observability/Series.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import * as OtlpRequest from "./OtlpRequest.ts"
import { arbitrary } from "./Snapshots.ts"

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
        series: [{ labels: Labels.none, bounds: [1, 5], counts: [1, 3], sum: 9.5, count: 4 }]
      }
    ])
    const start = "1600000000000000000"
    const time = "1700000000123000000"
    expect(JSON.parse(Otlp.encode(snapshot, { start: 1600000000 }))).toEqual({
      resourceMetrics: [
        {
          resource: { attributes: [{ key: "service.name", value: { stringValue: "framework-service" } }] },
          scopeMetrics: [
            {
              scope: { name: "framework.observability" },
              metrics: [
                {
                  name: "a_total",
                  description: "All",
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

  it("names the service and the scope it is told", () => {
    const { scope, service } = OtlpRequest.parse(Otlp.encode(Snapshot.empty, { service: "shop", scope: "s", start: 0 }))
    expect([service, scope]).toEqual(["shop", "s"])
  })

  it("never ends before it began, though a clock was set back", () => {
    const snapshot = Snapshot.make(10, [
      { name: "a", type: "counter", help: "", series: [{ labels: Labels.none, value: 1 }] }
    ])
    const point = OtlpRequest.parse(Otlp.encode(snapshot, { start: 20 }))
      .metrics.get("a")
      ?.points.get("[]")
    expect(point).toMatchObject({ start: 10_000_000_000n, time: 10_000_000_000n })
  })

  it.prop("is read by a strict reader as exactly what was measured", [arbitrary], ([snapshot]) => {
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
          expect(point?.sum).toBe(falling ? undefined : item.sum)
        }
      }
    }
  })
})

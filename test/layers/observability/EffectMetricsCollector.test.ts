import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Either, FastCheck, Metric, MetricBoundaries } from "effect"
import * as EffectMetricsCollector from "../../../layers/observability/internal/EffectMetricsCollector.ts"
import * as Prometheus from "../../../src/observability/Prometheus.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import * as SnapshotDecoder from "../../../src/observability/internal/snapshot/SnapshotDecoder.ts"
import * as SnapshotEncoder from "../../../src/observability/internal/snapshot/SnapshotEncoder.ts"
import * as PrometheusServer from "../../demo/observability/PrometheusServer.ts"
import * as Exposition from "../../src/observability/Exposition.ts"
import { labelName, metricName } from "../../../layers/observability/internal/EffectMetricsCollector.ts"
import { isName } from "../../../src/observability/internal/export/Exposition.ts"
import * as LabelRules from "../../../src/observability/internal/LabelRules.ts"

const pid = `pid="${process.pid}"`

describe("the metrics of Effect", () => {
  const mine = Effect.map(EffectMetricsCollector.collector.collect, (readings) =>
    Prometheus.exporter
      .export(
        Snapshot.make(
          1,
          readings.filter(({ name }) => name.startsWith("test_"))
        )
      )
      .split("\n")
      .filter((line) => line.startsWith("test_") || line.startsWith("# TYPE"))
  )

  it.effect("appear in the same snapshot, each as what it is", () =>
    Effect.gen(function* () {
      const orders = Metric.counter("test.orders", { incremental: true })
      yield* Metric.incrementBy(orders.pipe(Metric.tagged("a", "1"), Metric.tagged("b", "2")), 2)
      yield* Metric.incrementBy(orders.pipe(Metric.tagged("b", "2"), Metric.tagged("a", "1")), 3)
      yield* Metric.incrementBy(Metric.counter("test_balance"), -4)
      yield* Metric.increment(Metric.counter("test_visits_total"))
      yield* Metric.incrementBy(Metric.counter("test_big", { bigint: true, incremental: true }), 5n)
      yield* Metric.set(Metric.gauge("test_heat"), 1.5)
      yield* Metric.update(Metric.frequency("test_words"), "hey")
      const spread = Metric.histogram("test_spread", MetricBoundaries.fromIterable([1, 2]))
      yield* Metric.update(spread.pipe(Metric.tagged("le", "mine")), 1.5)
      const summary = Metric.summary({ name: "test_summary", maxAge: "1 day", maxSize: 10, error: 0, quantiles: [0.5] })
      yield* Metric.update(summary, 8)
      expect(yield* mine).toEqual([
        "# TYPE test_balance gauge",
        "test_balance -4",
        "# TYPE test_big_total counter",
        "test_big_total 5",
        "# TYPE test_heat gauge",
        "test_heat 1.5",
        "# TYPE test_orders_total counter",
        'test_orders_total{a="1",b="2"} 5',
        "# TYPE test_spread histogram",
        'test_spread_bucket{exported_le="mine",le="1"} 0',
        'test_spread_bucket{exported_le="mine",le="2"} 1',
        'test_spread_bucket{exported_le="mine",le="+Inf"} 1',
        'test_spread_sum{exported_le="mine"} 1.5',
        'test_spread_count{exported_le="mine"} 1',
        "# TYPE test_summary summary",
        `test_summary{${pid},quantile="0.5"} 8`,
        "test_summary_sum 8",
        "test_summary_count 1",
        "# TYPE test_visits_total counter",
        "test_visits_total 1",
        "# TYPE test_words_total counter",
        'test_words_total{key="hey"} 1'
      ])
    })
  )

  it.effect("are read back from the file of a worker, also a histogram without bounds", () =>
    Effect.gen(function* () {
      const unbounded = Metric.histogram("file_unbounded", MetricBoundaries.fromIterable([]))
      yield* Metric.update(unbounded, 3)
      const written = Snapshot.make(1, yield* EffectMetricsCollector.collector.collect)
      const document = Either.getOrThrow(SnapshotDecoder.parse(SnapshotEncoder.encode(written, {})))
      const { metrics } = Either.getOrThrow(SnapshotDecoder.decode(document))
      expect(metrics.get("file_unbounded")?.series).toMatchObject([{ bounds: [], counts: [], sum: 3, count: 1 }])
    })
  )

  it.effect("cannot eat the memory of those who read them", () =>
    Effect.gen(function* () {
      const visits = Metric.counter("test_guests", { incremental: true })
      for (const user of Chunk.range(1, 2_100)) yield* Metric.update(visits.pipe(Metric.tagged("user", `${user}`)), 1)
      const lines = (yield* mine).filter((line) => line.startsWith("test_guests_total"))
      expect(lines).toHaveLength(2_001)
      expect(lines).toContain('test_guests_total{overflow="true"} 100')
    })
  )
})

PrometheusServer.describeWith("promtool", "promtool check metrics", () => {
  it.effect("has no complaint about the metrics of Effect, however they are named", () =>
    Effect.gen(function* () {
      const tagged = <Type, In, Out>(metric: Metric.Metric<Type, In, Out>) => Metric.tagged(metric, "userRole", "a")
      yield* Metric.increment(tagged(Metric.counter("lint.ordersPlaced", { incremental: true })))
      yield* Metric.increment(Metric.counter("lint:visits"))
      yield* Metric.set(Metric.gauge("lint-heatLevel"), 1)
      yield* Metric.set(Metric.gauge("lint_people_total"), 1)
      yield* Metric.update(tagged(Metric.frequency("lint.words")), "hey")
      yield* Metric.update(Metric.histogram("lint.orderPrice", MetricBoundaries.fromIterable([1, 2])), 1)
      const options = { maxAge: "1 day", maxSize: 10, error: 0, quantiles: [0.5, 0.99] } as const
      yield* Metric.update(tagged(Metric.summary({ ...options, name: "lint.responseSizes" })), 8)
      yield* Metric.update(Metric.summary({ ...options, name: "lint_empty", maxAge: "0 millis" }), 8)
      const readings = (yield* EffectMetricsCollector.collector.collect).filter(({ name }) => name.startsWith("lint"))
      const text = Prometheus.exporter.export(Snapshot.make(1, readings))
      expect([...Exposition.parse(text).keys()]).toEqual([
        "lint_empty",
        "lint_heat_level",
        "lint_order_price",
        "lint_orders_placed_total",
        "lint_people",
        "lint_response_sizes",
        "lint_visits",
        "lint_words_total"
      ])
      expect(PrometheusServer.check(text)).toEqual({ status: 0, said: "" })
    })
  )
})

const types = FastCheck.constantFrom("counter" as const, "gauge" as const, "histogram" as const)

describe("a name of another library", () => {
  it.each([
    ["orders.placed", "counter", "orders_placed_total"],
    ["ordersPlaced", "counter", "orders_placed_total"],
    ["visits_total", "counter", "visits_total"],
    ["people_total", "gauge", "people"],
    ["HTTP", "gauge", "HTTP"],
    ["level:heat", "gauge", "level_heat"],
    ["9lives", "gauge", "_9lives"],
    ["", "gauge", "_"],
    ["_total", "gauge", "_"],
    ["a_total_total", "gauge", "a"]
  ] as const)("%j of a %s is %j", (name, type, expected) => {
    expect(metricName(name, type)).toBe(expected)
  })

  it.prop(
    "can be printed, stays what it is, and offends no linter by its form",
    [FastCheck.string({ unit: "binary" }), types],
    ([name, type]) => {
      const printed = metricName(name, type)
      expect(isName(printed)).toBe(true)
      expect(printed).not.toMatch(/:|[a-z][A-Z]/)
      expect(printed.endsWith("_total")).toBe(type === "counter")
      expect(metricName(printed, type)).toBe(printed)
      const label = labelName(name)
      expect(LabelRules.isName(label)).toBe(true)
      expect(label).not.toMatch(/[a-z][A-Z]/)
    }
  )
})

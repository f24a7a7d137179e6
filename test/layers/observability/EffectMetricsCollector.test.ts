import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Metric, MetricBoundaries } from "effect"
import * as EffectMetricsCollector from "../../../layers/observability/EffectMetricsCollector.ts"
import * as Prometheus from "../../../src/observability/Prometheus.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"

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
        "# TYPE test_big counter",
        "test_big 5",
        "# TYPE test_heat gauge",
        "test_heat 1.5",
        "# TYPE test_orders counter",
        'test_orders{a="1",b="2"} 5',
        "# TYPE test_spread histogram",
        'test_spread_bucket{exported_le="mine",le="1"} 0',
        'test_spread_bucket{exported_le="mine",le="2"} 1',
        'test_spread_bucket{exported_le="mine",le="+Inf"} 1',
        'test_spread_sum{exported_le="mine"} 1.5',
        'test_spread_count{exported_le="mine"} 1',
        "# TYPE test_summary gauge",
        `test_summary{${pid},quantile="0.5"} 8`,
        "# TYPE test_summary_count counter",
        "test_summary_count 1",
        "# TYPE test_summary_sum counter",
        "test_summary_sum 8",
        "# TYPE test_visits_total counter",
        "test_visits_total 1",
        "# TYPE test_words counter",
        'test_words{key="hey"} 1'
      ])
    })
  )

  it.effect("cannot eat the memory of those who read them", () =>
    Effect.gen(function* () {
      const visits = Metric.counter("test_guests", { incremental: true })
      for (const user of Chunk.range(1, 2_100)) yield* Metric.update(visits.pipe(Metric.tagged("user", `${user}`)), 1)
      const lines = (yield* mine).filter((line) => line.startsWith("test_guests"))
      expect(lines).toHaveLength(2_001)
      expect(lines).toContain('test_guests{overflow="true"} 100')
    })
  )
})

import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Metric, MetricBoundaries } from "effect"
import { readFileSync } from "node:fs"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as EffectMetricsCollector from "../../../layers/observability/EffectMetricsCollector.ts"
import * as ProcessCollector from "../../../layers/observability/ProcessCollector.ts"
import * as RuntimeCollector from "../../../layers/observability/RuntimeCollector.ts"
import type { Collector } from "../../../src/observability/Collector.ts"
import * as Prometheus from "../../../src/observability/Prometheus.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import { eventually } from "../../support/Eventually.ts"

const pid = `pid="${process.pid}"`

const figures = ({ collect }: Collector) =>
  Effect.map(collect, (readings) =>
    Object.fromEntries(
      readings.flatMap(({ name, series }) =>
        series.flatMap((item) => ("value" in item ? [[`${name}{${item.labels.text}}`, item.value]] : []))
      )
    )
  )

describe("the process collector", () => {
  it.effect("names the figures of the specification, each with the process id", () =>
    Effect.gen(function* () {
      const all = yield* figures(ProcessCollector.collector)
      expect(Object.keys(all)).toEqual([
        `process_memory_bytes{${pid}}`,
        `process_memory_peak_bytes{${pid}}`,
        `process_cpu_seconds_total{${pid}}`,
        `process_uptime_seconds{${pid}}`,
        `process_open_fds{${pid}}`
      ])
      expect(all[`process_memory_peak_bytes{${pid}}`]).toBeGreaterThanOrEqual(all[`process_memory_bytes{${pid}}`] ?? 0)
      expect(all[`process_open_fds{${pid}}`]).toBeGreaterThan(2)
    })
  )

  it.effect("tells how long the process has run, by the kernel's clock and not by the module's", () =>
    Effect.gen(function* () {
      const stat = readFileSync("/proc/self/stat", "utf8")
      const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19])
      const kernel = () => Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]) - ticks / 100
      const before = kernel()
      const uptime = (yield* figures(ProcessCollector.collector))[`process_uptime_seconds{${pid}}`]
      // The kernel counts in hundredths of a second, and Node takes its own start a little later.
      expect(uptime).toBeGreaterThan(before - 1)
      expect(uptime).toBeLessThan(kernel() + 1)
    })
  )
})

describe("the runtime collector", () => {
  it.scopedLive("names the figures of the specification, each with the process id", () =>
    Effect.gen(function* () {
      const all = yield* figures(yield* RuntimeCollector.make)
      expect(Object.keys(all)).toEqual([
        `runtime_gc_runs_total{${pid}}`,
        `runtime_gc_collected_total{${pid}}`,
        `runtime_included_files{${pid}}`,
        `runtime_opcache_memory_used_bytes{${pid}}`,
        `runtime_event_loop_delay_seconds{${pid}}`
      ])
      expect(all[`runtime_included_files{${pid}}`]).toBeGreaterThan(50)
      expect(all[`runtime_opcache_memory_used_bytes{${pid}}`]).toBeGreaterThan(100_000)
    })
  )

  it.scopedLive("counts collections and what they freed", () =>
    Effect.gen(function* () {
      setFlagsFromString("--expose-gc")
      const gc: () => void = runInNewContext("gc")
      const collector = yield* RuntimeCollector.make
      const before = yield* figures(collector)
      let waste: Array<object> = Array.from({ length: 200_000 }, (_, index) => ({ index }))
      expect(waste).toHaveLength(200_000)
      waste = []
      for (let run = 0; run < 3; run++) gc()
      const after = yield* figures(collector)
      const grown = (name: string) => (after[`${name}{${pid}}`] ?? 0) - (before[`${name}{${pid}}`] ?? 0)
      expect(grown("runtime_gc_runs_total")).toBeGreaterThanOrEqual(3)
      expect(grown("runtime_gc_collected_total")).toBeGreaterThan(1_000_000)
    })
  )

  it.scopedLive("sees an event loop that was held up", () =>
    Effect.gen(function* () {
      const collector = yield* RuntimeCollector.make
      yield* Effect.sleep("30 millis")
      const end = performance.now() + 200
      while (performance.now() < end);
      const seen = yield* eventually(
        figures(collector),
        (all) => (all[`runtime_event_loop_delay_seconds{${pid}}`] ?? 0) > 0.1
      )
      expect(seen[`runtime_event_loop_delay_seconds{${pid}}`]).toBeLessThan(10)
    })
  )
})

describe("the metrics of Effect", () => {
  const mine = Effect.map(EffectMetricsCollector.collector.collect, (readings) =>
    Prometheus.encode(
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

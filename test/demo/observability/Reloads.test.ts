// A real Prometheus and a strict collector, through reloads and crashes of the workers.
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import * as TestClient from "../../../testing/TestClient.ts"
import * as Demo from "../../support/Demo.ts"
import { eventually } from "../../support/Eventually.ts"
import { receiver } from "../../support/OtlpReceiver.ts"
import * as PrometheusServer from "./PrometheusServer.ts"

const childrenOf = (pid: number): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(/\s+/).filter(Boolean).map(Number)

const counters = ["http_requests_total", "http_responses_total", "exceptions_total"]

PrometheusServer.describeWith("prometheus", "a real Prometheus and a strict collector", () => {
  it.scopedLive(
    "see no counter fall, no start that changes and nothing malformed through reloads and crashes",
    () =>
      Effect.gen(function* () {
        const collector = yield* receiver
        const demo = yield* Demo.demo({
          WORKERS: "2",
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
          OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
          OTEL_METRIC_EXPORT_INTERVAL: "500",
          OTEL_BSP_SCHEDULE_DELAY: "200"
        })
        const http = TestClient.make(demo.url)
        const prometheus = yield* PrometheusServer.start(demo.url)
        yield* eventually(prometheus.value("up"), (up) => up === 1)
        const misses = 'http_responses_total{class="4xx"}'
        let sent = 0
        const miss = Effect.gen(function* () {
          const one = http.request("/nothing", { headers: { connection: "close" } })
          yield* Effect.forEach(Array.from({ length: 20 }), () => one, { concurrency: 4, discard: true })
          sent += 20
          yield* eventually(prometheus.value(misses), (value) => value === sent)
        })
        const replaced = (before: ReadonlyArray<number>) =>
          eventually(
            Effect.sync(() => childrenOf(demo.pid)),
            (pids) => pids.length === 2 && pids.every((pid) => !before.includes(pid))
          )
        yield* miss
        const first = childrenOf(demo.pid)
        demo.signal("SIGHUP")
        yield* demo.says(/Restarted 2 workers\./)
        const second = yield* replaced(first)
        yield* miss
        process.kill(second[0] ?? 0, "SIGKILL")
        yield* demo.says(new RegExp(`Process ${second[0]} died`))
        yield* eventually(
          Effect.sync(() => childrenOf(demo.pid)),
          (pids) => pids.length === 2 && !pids.includes(second[0] ?? 0)
        )
        yield* miss
        for (const name of counters) {
          for (const { metric, values } of yield* prometheus.range(`${name}[1h]`)) {
            const numbers = values.map(([, value]) => Number(value))
            expect([metric, numbers]).toEqual([metric, numbers.toSorted((a, b) => a - b)])
          }
        }
        demo.signal("SIGTERM")
        expect(yield* demo.ended).toEqual({ code: 0, signal: null })
        expect(collector.malformed).toEqual([])
        // One span for each request; the killed worker had 200 ms to send those that it had answered.
        const spans = collector.spans.filter(({ attributes }) => attributes["url.path"] === "unmatched")
        expect(spans).toHaveLength(sent)
        expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(sent)
        expect(new Set(spans.map(({ resource }) => resource["process.pid"])).size).toBeGreaterThan(1)
        const series = new Map<string, Array<{ readonly start: bigint | undefined; readonly value: number }>>()
        for (const { metrics } of collector.metrics) {
          for (const name of counters) {
            for (const [labels, { start, value = 0 }] of metrics.get(name)?.points ?? []) {
              const key = `${name} ${labels}`
              series.set(key, [...(series.get(key) ?? []), { start, value }])
            }
          }
        }
        expect(series.size).toBeGreaterThan(3)
        for (const [key, points] of series) {
          const values = points.map(({ value }) => value)
          expect([key, values]).toEqual([key, values.toSorted((a, b) => a - b)])
          expect([key, new Set(points.map(({ start }) => start)).size]).toEqual([key, 1])
        }
      }),
    240_000
  )
})

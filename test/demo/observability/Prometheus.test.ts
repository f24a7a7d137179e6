import { expect, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { readFileSync } from "node:fs"
import * as Prometheus from "../../../src/observability/Prometheus.ts"
import * as Exposition from "../../src/observability/Exposition.ts"
import { arbitrary } from "../../src/observability/Snapshots.ts"
import * as TestClient from "../../../testing/TestClient.ts"
import { eventually } from "../../support/Eventually.ts"
import * as Demo from "../../support/Demo.ts"
import * as PrometheusServer from "./PrometheusServer.ts"

const childrenOf = (pid: number): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(/\s+/).filter(Boolean).map(Number)

PrometheusServer.describeWith("promtool", "promtool check metrics", () => {
  it("can read whatever we print", () => {
    for (const snapshot of FastCheck.sample(arbitrary, 40)) {
      const { said, status } = PrometheusServer.check(Prometheus.exporter.export(snapshot))
      // 3 is a matter of taste about names; 1 would be a text that it cannot read.
      expect(status === 0 || status === 3, said).toBe(true)
    }
  })
})

PrometheusServer.describeWith("prometheus", "a real Prometheus", () => {
  it.scopedLive(
    "finds the demo up, reads the numbers we wrote, and sees no counter fall though workers are killed",
    () =>
      Effect.gen(function* () {
        const demo = yield* Demo.demo({ WORKERS: "2" })
        const http = TestClient.make(demo.url)
        const prometheus = yield* PrometheusServer.start(demo.url)
        yield* eventually(prometheus.value("up"), (up) => up === 1)

        // Without a value while the last scrape took longer than a second.
        const latest = (query: string) => eventually(prometheus.value(query), (value) => value !== undefined)

        const { body } = yield* http.get("/metrics")
        expect(PrometheusServer.check(body)).toEqual({ status: 0, said: "" })
        expect([...Exposition.parse(body).keys()]).toEqual(
          expect.arrayContaining(["http_requests_total", "http_bytes_read_total", "process_open_fds"])
        )

        const misses = 'http_responses_total{class="4xx"}'
        const miss = (count: number) =>
          Effect.forEach(
            Array.from({ length: count }),
            () => http.request("/nothing", { headers: { connection: "close" } }),
            {
              concurrency: 4,
              discard: true
            }
          )
        // Many at once, since the kernel gives a lonely connection to the same worker again and again.
        const serving = Effect.map(
          Effect.all(
            Array.from({ length: 16 }, () => http.request("/health", { headers: { connection: "close" } })),
            { concurrency: "unbounded" }
          ),
          (responses) => new Set(responses.map(({ body }): number => JSON.parse(body).pid))
        )
        let sent = 0
        for (const count of [40, 30]) {
          yield* miss(count)
          sent += count
          // Each worker leaves its snapshot every ten seconds, so that is how long the last number may take.
          yield* eventually(prometheus.value(misses), (value) => value === sent)
          const [victim = 0] = childrenOf(demo.pid)
          process.kill(victim, "SIGKILL")
          const living = yield* eventually(
            Effect.sync(() => childrenOf(demo.pid)),
            (pids) => pids.length === 2 && !pids.includes(victim)
          )
          // Both serve before the next one is killed, or there would be no worker to scrape.
          yield* eventually(serving, (pids) => living.every((pid) => pids.has(pid)))
        }
        for (const name of ["http_requests_total", "http_responses_total", "http_request_duration_seconds_count"]) {
          for (const { metric, values } of yield* prometheus.range(`${name}[1h]`)) {
            const numbers = values.map(([, value]) => Number(value))
            expect(numbers.length).toBeGreaterThan(5)
            expect(numbers, JSON.stringify(metric)).toEqual([...numbers].sort((a, b) => a - b))
          }
        }
        for (const name of ["http_bytes_read_total", "http_bytes_written_total", "process_cpu_seconds_total"]) {
          expect(yield* prometheus.value(`max(resets(${name}[1h]))`)).toBe(0)
          // The two that serve, and all the dead as one; the newest is there with its first snapshot and the next scrape.
          yield* eventually(prometheus.value(`count(${name})`), (count) => count === 3)
          expect(yield* latest(`count(${name}{pid="retired"})`)).toBe(1)
        }
        // Names and texts also of what only a failure or a death brings.
        expect((yield* http.get("/error")).status).toBe(500)
        const { body: late } = yield* eventually(http.get("/metrics"), ({ body }) => body.includes("exceptions_total"))
        expect(late).toContain('http_bytes_read_total{pid="retired"}')
        expect(PrometheusServer.check(late)).toEqual({ status: 0, said: "" })
        expect(yield* latest("http_requests_in_flight")).toBeLessThanOrEqual(2)
        expect(yield* latest("sum(http_request_duration_seconds_count)")).toBeGreaterThanOrEqual(sent)
      }),
    240_000
  )
})

import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as NodeProcessInfo from "../../../layers/observability/NodeProcessInfo.ts"
import * as FileFleet from "../../../layers/observability/FileFleet.ts"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import * as Health from "../../../routes/observability/Health.ts"
import * as Metrics from "../../../routes/observability/Metrics.ts"
import * as Counter from "../../../src/observability/Counter.ts"
import * as HealthChecks from "../../../src/observability/HealthChecks.ts"
import { Observability } from "../../../src/observability/Observability.ts"
import { NotReady, Readiness } from "../../../src/observability/internal/HealthResult.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestClient from "../../../testing/TestClient.ts"
import * as Demo from "../../support/Demo.ts"
import * as Serving from "../../support/Serving.ts"

const client = Effect.map(ServerAddress, ({ url }) => TestClient.make(url))

/** What Prometheus 2 sends, and Prometheus 3. */
const prometheus = [
  "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
  "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2"
]

describe("GET /health", () => {
  it.scopedLive("has the pid, the uptime and the memory of the process", () =>
    Effect.gen(function* () {
      const http = yield* client
      const before = { uptime: process.uptime(), time: Date.now() / 1000 }
      const response = yield* http.get("/health")
      const after = { uptime: process.uptime(), time: Date.now() / 1000 }
      expect(response.status).toBe(200)
      expect(response.headers.get("content-type")).toBe("application/json")
      expect(response.headers.get("cache-control")).toBe("no-store")
      const body = JSON.parse(response.body)
      expect(Object.keys(body)).toEqual(["status", "pid", "uptime_seconds", "memory_bytes", "timestamp"])
      expect(body).toMatchObject({ status: "ok", pid: process.pid, memory_bytes: expect.any(Number) })
      expect(body.uptime_seconds).toBeGreaterThan(before.uptime - 1)
      expect(body.uptime_seconds).toBeLessThan(after.uptime + 1)
      expect(body.timestamp).toBeGreaterThanOrEqual(before.time)
      expect(body.timestamp).toBeLessThanOrEqual(after.time)
      const head = yield* http.request("/health", { method: "HEAD" })
      expect([head.status, head.body]).toEqual([200, ""])
    }).pipe(Effect.provide(Serving.layer(Health.live).pipe(Layer.provide(NodeProcessInfo.layer))))
  )
})

describe("GET /readyz", () => {
  const serving = (check: Effect.Effect<void, NotReady>) =>
    Serving.layer(Health.ready).pipe(
      Layer.provide(Layer.merge(Layer.succeed(Readiness, { check }), HealthChecks.layer))
    )

  it.scopedLive("is 200 when the dependencies of the program respond", () =>
    Effect.gen(function* () {
      const response = yield* (yield* client).get("/readyz")
      expect([response.status, response.body]).toEqual([200, '{"status":"ready"}'])
      expect(response.headers.get("cache-control")).toBe("no-store")
    }).pipe(Effect.provide(serving(Effect.void)))
  )

  it.scopedLive("is 503 when it does not, names the part and keeps the reason to itself", () =>
    Effect.gen(function* () {
      const response = yield* (yield* client).get("/readyz")
      expect([response.status, response.body]).toEqual([503, '{"status":"unavailable","part":"database"}'])
    }).pipe(Effect.provide(serving(new NotReady({ part: "database", reason: "db.internal:5432 refused" }))))
  )
})

describe("GET /metrics", () => {
  const serving = Layer.unwrapScoped(
    Effect.map(Demo.folder, (directory) =>
      Serving.layer(Metrics.routes).pipe(
        Layer.provide(FileFleet.layer({ directory })),
        Layer.provideMerge(WorkerObservability.layerWith({ collectors: false }))
      )
    )
  )

  const responses = (accept: string) =>
    Effect.gen(function* () {
      const { metrics } = yield* Observability
      const counter = yield* Counter.make("a_total", { help: "All" })
      yield* metrics.push(counter)
      counter.increment(3)
      return yield* (yield* client).request("/metrics", { headers: { accept } })
    }).pipe(Effect.provide(serving))

  it.scopedLive.each(["*/*", "text/plain", "text/html", "image/png", "application/json;q=0.5, */*", ...prometheus])(
    "is the text exposition for Accept: %s",
    (accept) =>
      Effect.gen(function* () {
        const response = yield* responses(accept)
        expect(response.status).toBe(200)
        expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
        expect(response.headers.get("cache-control")).toBe("no-store")
        expect(response.headers.get("vary")).toBe("Accept")
        expect(response.body).toBe("# HELP a_total All\n# TYPE a_total counter\na_total 3\n")
      })
  )

  it.scopedLive.each(["application/json", "application/json, */*;q=0.1", "text/plain;q=0.5, application/json"])(
    "is JSON for Accept: %s",
    (accept) =>
      Effect.gen(function* () {
        const response = yield* responses(accept)
        expect(response.headers.get("content-type")).toBe("application/json")
        const body = JSON.parse(response.body)
        expect(Object.keys(body)).toEqual(["timestamp", "metrics"])
        expect(body.metrics).toEqual({ a_total: { type: "counter", help: "All", series: [{ labels: {}, value: 3 }] } })
      })
  )

  it.scopedLive("is OpenMetrics for a client that accepts only that", () =>
    Effect.gen(function* () {
      const response = yield* responses("application/openmetrics-text; version=1.0.0")
      expect(response.headers.get("content-type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8")
      expect(response.body).toBe("# HELP a All\n# TYPE a counter\na_total 3\n# EOF\n")
    })
  )
})

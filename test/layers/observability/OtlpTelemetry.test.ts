// A server whose traces and logs go to a real collector.
import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Layer, Logger, Redacted, Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { inject, vi } from "vitest"
import * as Database from "../../../layers/database/Database.ts"
import * as PreparedStatements from "../../../layers/database/internal/PreparedStatements.ts"
import * as FileSources from "../../../layers/errors/FileSources.ts"
import * as WorkerRecords from "../../../layers/errors/WorkerRecords.ts"
import * as WorkerReporters from "../../../layers/errors/WorkerReporters.ts"
import * as ExportedExceptions from "../../../layers/observability/internal/ExportedExceptions.ts"
import * as OtlpTelemetry from "../../../layers/observability/OtlpTelemetry.ts"
import * as WebServer from "../../../layers/server/WebServer.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as Respond from "../../../routes/session/Respond.ts"
import { VERSION } from "../../../src/config/internal/Version.ts"
import { Sqlite } from "../../../src/database/DatabaseUrl.ts"
import * as Sampler from "../../../src/observability/internal/Sampler.ts"
import type { TelemetryConfig } from "../../../src/observability/internal/TelemetryConfig.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { eventually } from "../../support/Eventually.ts"
import { type OtlpReceiver, receiver } from "../../support/OtlpReceiver.ts"
import * as RecordedSpans from "../../support/RecordedSpans.ts"
import * as Serving from "../../support/Serving.ts"

const routes = [
  HttpLayerRouter.route("GET", "/articles/:id", Effect.as(Effect.logWarning("An article is late"), Respond.json({}))),
  HttpLayerRouter.route("GET", "/broken", Effect.die(new Error("password=hunter22 is wrong"))),
  HttpLayerRouter.route("GET", "/busy", Effect.succeed(Respond.json({}, { status: 503 })))
]

const settings = (url: string, given: Partial<TelemetryConfig> = {}): TelemetryConfig => ({
  collector: {
    endpoint: url,
    service: "shop",
    attributes: { "service.version": "1.2.3" },
    headers: Redacted.make({ "api-key": "k1" }),
    timeout: 10_000
  },
  sampler: Sampler.make("parentbased_always_on", 1),
  traces: true,
  logs: true,
  metrics: true,
  delay: 3_600_000,
  metricsInterval: 3_600_000,
  ...given
})

/** A server that exports to this collector; `stop` is an orderly stop. */
const serving = (
  collector: OtlpReceiver,
  given: Partial<TelemetryConfig> = {},
  below: Layer.Layer<never> = Layer.empty
) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const telemetry = OtlpTelemetry.layer(settings(collector.url, given))
    const server = WebServer.layer(Pipeline.app(Pipeline.stateless(routes)), { host: "127.0.0.1", port: 0 }).pipe(
      Layer.provide(Layer.provide(ExportedExceptions.layer, WorkerRecords.layer)),
      Layer.provide(Layer.mergeAll(Serving.support(), WorkerReporters.layer, FileSources.layer)),
      Layer.provide(telemetry),
      Layer.provide(below),
      Layer.provide(Logger.remove(Logger.defaultLogger))
    )
    const context = yield* Layer.buildWithScope(server, scope)
    const { url } = yield* Effect.provide(ServerAddress, context)
    const get = (path: string, headers: Record<string, string> = {}) =>
      Effect.promise(() => fetch(`${url}${path}`, { headers }).then((response) => response.text()))
    return { get, stop: Scope.close(scope, Exit.void) }
  })

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(inject("temporaryFolder"), "traced-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

describe("A program with a collector", () => {
  it.scopedLive("names the variables without an effect in one line of its start", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel.label} ${String(message)}`))
      const collector = yield* receiver
      const start = (given: Partial<TelemetryConfig> = {}) =>
        Effect.scoped(Layer.build(OtlpTelemetry.layer(settings(collector.url, given)))).pipe(
          Effect.provide(Logger.replace(Logger.defaultLogger, logger))
        )
      yield* start()
      yield* Effect.addFinalizer(() => Effect.sync(() => vi.unstubAllEnvs()))
      vi.stubEnv("OTEL_PROPAGATORS", "b3")
      vi.stubEnv("OTEL_LOG_LEVEL", "debug")
      yield* start()
      yield* start({ collector: undefined })
      const warnings = lines.filter((line) => line.startsWith("WARN"))
      expect(warnings).toEqual([expect.stringContaining("OTEL_PROPAGATORS, OTEL_LOG_LEVEL")])
    })
  )

  it.scopedLive("loses no span, no log line and no exception at an orderly stop", () =>
    Effect.gen(function* () {
      const collector = yield* receiver
      const { get, stop } = yield* serving(collector)
      for (let at = 0; at < 20; at++) yield* get(`/articles/${at}`)
      yield* get("/broken", { "x-request-id": "r1" })
      yield* get("/busy")
      expect(collector.requests()).toBe(0)
      yield* stop
      expect(collector.malformed).toEqual([])
      const articles = collector.spans.filter(({ name }) => name === "GET /articles/:id")
      expect(articles).toHaveLength(20)
      expect(new Set(articles.map(({ traceId }) => traceId)).size).toBe(20)
      expect(articles[0]).toMatchObject({
        kind: 2,
        status: 0,
        attributes: { "http.route": "/articles/:id", "http.response.status_code": 200 },
        resource: {
          "service.name": "shop",
          "service.version": "1.2.3",
          "process.pid": process.pid,
          "telemetry.sdk.name": "effect-framework",
          "telemetry.sdk.language": "nodejs",
          "telemetry.sdk.version": VERSION
        }
      })
      const late = collector.logs.filter(({ body }) => body === "An article is late")
      expect(new Set(late.map(({ traceId }) => traceId))).toEqual(new Set(articles.map(({ traceId }) => traceId)))
      const broken = collector.spans.find(({ name }) => name === "GET /broken")
      expect(broken).toMatchObject({ status: 2, attributes: { "error.type": "500" } })
      const exception = collector.logs.find(({ attributes }) => attributes["request.id"] === "r1")
      expect(exception).toMatchObject({ severity: "ERROR", traceId: broken?.traceId, spanId: broken?.spanId })
      const { events: [event, ...others] = [] } = broken ?? {}
      expect([event?.name, others]).toEqual(["exception", []])
      expect(event?.attributes).toMatchObject({
        "exception.type": "Error",
        "exception.stacktrace": expect.stringContaining("OtlpTelemetry.test.ts"),
        "exception.fingerprint": expect.stringMatching(/^[0-9a-f]{16}$/)
      })
      expect(exception?.attributes).toMatchObject(event?.attributes ?? {})
      const busy = collector.spans.find(({ name }) => name === "GET /busy")
      expect(busy).toMatchObject({ status: 2, events: [], attributes: { "error.type": "503" } })
      expect(busy?.attributes).not.toHaveProperty("exception.type")
      const shown = [...collector.logs, ...collector.spans.flatMap(({ events }) => events)]
      expect(JSON.stringify(shown.map((one) => [one.attributes, "body" in one && one.body]))).not.toContain("hunter22")
      expect(collector.headers.every((headers) => headers["api-key"] === "k1")).toBe(true)
    })
  )

  it.scopedLive("sends again after the collector was away", () =>
    Effect.gen(function* () {
      const collector = yield* receiver
      collector.refusals.push(503, 503)
      const { get } = yield* Effect.acquireRelease(serving(collector, { delay: 50, logs: false }), ({ stop }) => stop)
      yield* get("/articles/1")
      yield* eventually(
        Effect.sync(() => collector.spans.length),
        (count) => count === 1
      )
      expect(collector.requests()).toBe(3)
    })
  )

  it.scopedLive("has an address, headers and a compression of its own for each kind of data", () =>
    Effect.gen(function* () {
      const [traces, logs] = [yield* receiver, yield* receiver]
      const { collector } = settings(logs.url)
      const { get, stop } = yield* serving(logs, {
        collector: collector && {
          ...collector,
          compression: "gzip",
          signals: {
            traces: { url: `${traces.url}/v1/traces`, headers: Redacted.make({ other: "k2" }), compression: "none" }
          }
        }
      })
      yield* get("/articles/1")
      yield* stop
      expect([traces.malformed, logs.malformed]).toEqual([[], []])
      expect([traces.spans.length, traces.logs.length, logs.spans.length]).toEqual([1, 0, 0])
      expect(logs.logs.length).toBeGreaterThan(0)
      expect(traces.headers).toMatchObject([{ other: "k2" }])
      expect(traces.headers[0]).not.toHaveProperty("api-key")
      expect(traces.headers[0]).not.toHaveProperty("content-encoding")
      expect(logs.headers[0]).toMatchObject({ "api-key": "k1", "content-encoding": "gzip" })
    })
  )

  it.scopedLive("names a statement by its operation and its table, without its literals", () =>
    Effect.gen(function* () {
      const collector = yield* receiver
      const work = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)`
        yield* sql`INSERT INTO notes (text) VALUES ('of hunter22')`
        const prepared = yield* PreparedStatements.orPlain
        yield* prepared.all(sql`SELECT text FROM "notes" WHERE text = 'of hunter22' AND id = ${1}`)([1])
      })
      yield* work.pipe(
        Effect.provide(Database.layer(Sqlite({ path: `${yield* folder}/notes.sqlite` }))),
        Effect.provide(OtlpTelemetry.layer(settings(collector.url, { logs: false }))),
        Effect.scoped
      )
      const spans = collector.spans.filter(({ attributes }) => attributes["db.query.text"] !== undefined)
      expect(
        spans.map(({ attributes, name }) => [name, attributes["db.operation.name"], attributes["db.collection.name"]])
      ).toEqual(
        expect.arrayContaining([
          ["INSERT notes", "INSERT", "notes"],
          ["SELECT notes", "SELECT", "notes"]
        ])
      )
      expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain("hunter22")
    })
  )

  it.scopedLive("samples by the trace, and follows the client's decision", () =>
    Effect.gen(function* () {
      const collector = yield* receiver
      const sampler = Sampler.make("parentbased_always_off", 1)
      const { get, stop } = yield* serving(collector, { sampler, logs: false })
      yield* get("/articles/1")
      yield* get("/articles/2", { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-00` })
      yield* get("/articles/3", { traceparent: `00-${"c".repeat(32)}-${"d".repeat(16)}-01`, tracestate: "vendor=1" })
      yield* stop
      expect(collector.spans).toMatchObject([
        { traceId: "c".repeat(32), parentSpanId: "d".repeat(16), traceState: "vendor=1" }
      ])
    })
  )

  it.scopedLive("uses the program's own tracer as it is", () =>
    Effect.gen(function* () {
      const collector = yield* receiver
      const spans = yield* Effect.provide(RecordedSpans.RecordedSpans, RecordedSpans.layer)
      const own = Layer.setTracer(RecordedSpans.make(spans))
      const { get, stop } = yield* serving(collector, {}, own)
      yield* get("/articles/1")
      yield* stop
      expect(spans.map(({ name }) => name)).toContain("GET /articles/:id")
      expect(collector.spans).toEqual([])
      const late = collector.logs.find(({ body }) => body === "An article is late")
      expect(late?.traceId).toBe(spans[0]?.traceId)
    })
  )

  it.scopedLive("sends nothing without a collector", () =>
    Effect.gen(function* () {
      const collector = yield* receiver
      const { get, stop } = yield* serving(collector, { collector: undefined })
      yield* get("/articles/1")
      yield* stop
      expect(collector.requests()).toBe(0)
    })
  )
})

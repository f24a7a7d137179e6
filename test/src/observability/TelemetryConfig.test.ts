import { expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import * as TelemetryConfig from "../../../src/observability/internal/TelemetryConfig.ts"
import * as Setting from "../../../src/config/internal/Setting.ts"

const read = (variables: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(
    Effect.suspend(() => TelemetryConfig.config({ "service.version": "1.2.3" })),
    ConfigProvider.fromMap(new Map(Object.entries(variables)))
  )

it.effect("name no collector by default", () =>
  Effect.gen(function* () {
    expect(yield* read({})).toMatchObject({ collector: undefined, delay: 5000, metricsInterval: 60_000 })
  })
)

it.effect("send everything to the collector, unless an exporter is none", () =>
  Effect.gen(function* () {
    const endpoint = "http://collector:4318"
    expect(yield* read({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_LOGS_EXPORTER: "none" })).toMatchObject({
      collector: { endpoint, attributes: { "service.version": "1.2.3" } },
      traces: true,
      logs: false,
      metrics: true
    })
  })
)

it.effect("send nothing when the SDK is disabled, and a kind of data to its own address alone", () =>
  Effect.gen(function* () {
    const OTEL_EXPORTER_OTLP_ENDPOINT = "http://collector:4318"
    expect(yield* read({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: "true" })).toMatchObject({
      collector: undefined,
      traces: false
    })
    const own = yield* read({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example/ingest?team=1",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "api-key=k2",
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "500",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: "none",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json"
    })
    expect(own).toMatchObject({ traces: true, logs: false, metrics: false })
    expect(own.collector).toMatchObject({
      compression: "gzip",
      signals: { traces: { url: "https://traces.example/ingest?team=1", timeout: 500, compression: "none" } }
    })
  })
)

it.effect.each([
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, "OTEL_EXPORTER_OTLP_PROTOCOL is"],
  [{ OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: "http/protobuf" }, "OTEL_EXPORTER_OTLP_LOGS_PROTOCOL is"],
  [{ OTEL_EXPORTER_OTLP_COMPRESSION: "zstd" }, "OTEL_EXPORTER_OTLP_COMPRESSION is"],
  [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "collector:4318" }, "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT is"],
  [{ OTEL_EXPORTER_OTLP_LOGS_HEADERS: "secret" }, "OTEL_EXPORTER_OTLP_LOGS_HEADERS is ********"],
  [{ OTEL_SDK_DISABLED: "perhaps" }, "OTEL_SDK_DISABLED is"],
  [{ OTEL_TRACES_EXPORTER: "zipkin" }, "OTEL_TRACES_EXPORTER is"],
  [{ OTEL_BSP_SCHEDULE_DELAY: "0" }, "OTEL_BSP_SCHEDULE_DELAY is"],
  [{ OTEL_METRIC_EXPORT_INTERVAL: "1s" }, "OTEL_METRIC_EXPORT_INTERVAL is"],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, "OTEL_EXPORTER_OTLP_ENDPOINT is"]
] as const)("refuse %j", ([variables, line]) =>
  Effect.gen(function* () {
    expect(Setting.line(yield* Effect.flip(read(variables)))).toContain(line)
  })
)

import { expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import * as TelemetrySettings from "../../../src/observability/internal/TelemetrySettings.ts"
import * as Setting from "../../../src/config/internal/Setting.ts"

const read = (variables: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(
    Effect.suspend(() => TelemetrySettings.config({ "service.version": "1.2.3" })),
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

it.effect.each([
  [{ OTEL_TRACES_EXPORTER: "zipkin" }, "OTEL_TRACES_EXPORTER is"],
  [{ OTEL_BSP_SCHEDULE_DELAY: "0" }, "OTEL_BSP_SCHEDULE_DELAY is"],
  [{ OTEL_METRIC_EXPORT_INTERVAL: "1s" }, "OTEL_METRIC_EXPORT_INTERVAL is"],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, "OTEL_EXPORTER_OTLP_ENDPOINT is"]
] as const)("refuse %j", ([variables, line]) =>
  Effect.gen(function* () {
    expect(Setting.line(yield* Effect.flip(read(variables)))).toContain(line)
  })
)

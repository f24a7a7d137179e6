import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import * as MetricsExporter from "../../../src/observability/MetricsExporter.ts"

describe("the settings of the metrics exporter", () => {
  const load = (env: Record<string, string>) =>
    Effect.withConfigProvider(MetricsExporter.config(), ConfigProvider.fromMap(new Map(Object.entries(env))))

  it.effect("have the defaults of OpenTelemetry and the service name of the contract", () =>
    Effect.gen(function* () {
      const settings = yield* load({})
      expect(settings).toMatchObject({
        endpoint: "http://localhost:4318",
        service: "framework-service",
        timeout: 10_000
      })
    })
  )

  it.effect("read the attributes of the resource as W3C baggage spells them", () =>
    Effect.gen(function* () {
      const { attributes } = yield* load({
        OTEL_RESOURCE_ATTRIBUTES:
          "deployment.environment=staging, service.version = 1.2%2C3 ,a%20b=%C3%A9%3D,empty=,raw=a=b,__proto__=x,twice=1,twice=2"
      })
      expect(Object.entries(attributes ?? {})).toEqual([
        ["deployment.environment", "staging"],
        ["service.version", "1.2,3"],
        ["a b", "é="],
        ["empty", ""],
        ["raw", "a=b"],
        ["__proto__", "x"],
        ["twice", "2"]
      ])
    })
  )

  it.effect("take the service's name from OTEL_SERVICE_NAME first, then from the attributes", () =>
    Effect.gen(function* () {
      const OTEL_RESOURCE_ATTRIBUTES = "service.name=kiosk,service.version=2"
      expect(yield* load({ OTEL_RESOURCE_ATTRIBUTES })).toMatchObject({
        service: "kiosk",
        attributes: { "service.version": "2" }
      })
      const both = yield* load({ OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME: "shop" })
      expect(both.service).toBe("shop")
      expect(both.attributes).toEqual({ "service.version": "2" })
    })
  )

  it.effect("let the attributes of the environment win over those of the program", () =>
    Effect.gen(function* () {
      const program = MetricsExporter.config({ "service.version": "1", "service.name": "kiosk" })
      const read = (env: Record<string, string>) =>
        Effect.withConfigProvider(program, ConfigProvider.fromMap(new Map(Object.entries(env))))
      expect(yield* read({})).toMatchObject({ service: "kiosk", attributes: { "service.version": "1" } })
      expect(yield* read({ OTEL_RESOURCE_ATTRIBUTES: "service.version=2" })).toMatchObject({
        service: "kiosk",
        attributes: { "service.version": "2" }
      })
    })
  )

  it.effect("read headers as name=value pairs and keep them secret", () =>
    Effect.gen(function* () {
      const { headers } = yield* load({ OTEL_EXPORTER_OTLP_HEADERS: "Api-Key=a%2Cb, x=1" })
      expect(Redacted.value(headers)).toEqual({ "api-key": "a,b", x: "1" })
      expect(`${headers}`).not.toContain("a,b")
    })
  )

  it.effect.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "no pairs"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=%zz"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=b%0d%0ac"],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "soon"],
    ["OTEL_RESOURCE_ATTRIBUTES", "staging"],
    ["OTEL_RESOURCE_ATTRIBUTES", "=staging"],
    ["OTEL_RESOURCE_ATTRIBUTES", "a=b,"],
    ["OTEL_RESOURCE_ATTRIBUTES", "a=%zz"],
    ["OTEL_RESOURCE_ATTRIBUTES", "%C3=b"],
    ["OTEL_RESOURCE_ATTRIBUTES", "a=é"],
    ["OTEL_RESOURCE_ATTRIBUTES", "a=b;property"],
    ["OTEL_RESOURCE_ATTRIBUTES", "a=b%0Ac"]
  ])("stop the start at a malformed %s", ([name, value]) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(load({ [name ?? ""]: value ?? "" }))
      expect(`${failure}`).toContain(name)
      if (name === "OTEL_EXPORTER_OTLP_HEADERS") expect(`${failure}`).not.toContain(value)
    })
  )
})

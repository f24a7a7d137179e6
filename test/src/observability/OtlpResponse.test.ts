import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, FastCheck, Redacted } from "effect"
import { interpret, retryDelay } from "../../../src/observability/OtlpResponse.ts"
import * as MetricsExporter from "../../../src/observability/MetricsExporter.ts"
import { nasty } from "./Snapshots.ts"

const answer = (status: number, body = "", retryAfter?: string) =>
  interpret({ status, body, retryAfter }, 1_000_000_000)

describe("the answer of a collector", () => {
  it.each([200, 201, 202, 204])("%i is a delivery", (status) => {
    expect(answer(status, "{}")).toEqual({ _tag: "Delivered", delivered: { status, rejected: 0, message: "" } })
  })

  it.each([429, 502, 503, 504])("%i may be tried again", (status) => {
    expect(answer(status)).toMatchObject({ _tag: "Later", after: undefined })
  })

  it.each([301, 400, 401, 403, 404, 405, 413, 415, 500, 501])("%i is final", (status) => {
    expect(answer(status)).toMatchObject({ _tag: "Refused" })
  })

  it("says how long to wait, in seconds or as a date", () => {
    expect(answer(503, "", "7")).toMatchObject({ after: 7 })
    expect(answer(503, "", "Sun, 09 Sep 2001 01:46:50 GMT")).toMatchObject({ after: 10 })
    expect(answer(503, "", "Sun, 09 Sep 2001 01:46:30 GMT")).toMatchObject({ after: 0 })
    expect(answer(503, "", "soon")).toMatchObject({ after: undefined })
  })

  it.each([
    ['{"partialSuccess":{"rejectedDataPoints":"3","errorMessage":"too old"}}', 3, "too old"],
    ['{"partialSuccess":{"rejectedDataPoints":3}}', 3, ""],
    ['{"partialSuccess":{"errorMessage":"mind your labels"}}', 0, "mind your labels"],
    ['{"partialSuccess":{}}', 0, ""],
    ["not JSON", 0, ""],
    ["", 0, ""]
  ])("%s rejects %i", (body, rejected, message) => {
    expect(answer(200, body)).toMatchObject({ delivered: { rejected, message } })
  })

  it.prop(
    "reaches a terminal as one short line, whatever it says",
    [FastCheck.integer({ min: 100, max: 599 }), nasty],
    ([status, body]) => {
      const verdict = answer(status, body.repeat(100))
      const text = verdict._tag === "Delivered" ? verdict.delivered.message : verdict.failure.reason
      expect(text).not.toMatch(/\p{Cc}/u)
      expect(text.length).toBeLessThanOrEqual(200)
    }
  )
})

describe("the pause before another try", () => {
  it("doubles from a second to half a minute, spread over the upper half", () => {
    expect([0, 1, 2, 5, 20].map((attempt) => retryDelay(attempt, undefined, 1))).toEqual([1, 2, 4, 30, 30])
    expect(retryDelay(2, undefined, 0)).toBe(2)
  })

  it("is what the collector asks for, within reason", () => {
    expect(retryDelay(0, 7, 1)).toBe(7)
    expect(retryDelay(4, 0, 1)).toBe(0)
    expect(retryDelay(0, 86_400, 1)).toBe(300)
  })
})

describe("the settings of the shipper", () => {
  const load = (env: Record<string, string>) =>
    Effect.withConfigProvider(MetricsExporter.config, ConfigProvider.fromMap(new Map(Object.entries(env))))

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
      const program = MetricsExporter.configWith({ "service.version": "1", "service.name": "kiosk" })
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

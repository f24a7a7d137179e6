import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Redacted, TestClock } from "effect"
import * as OtlpClient from "../../../layers/observability/internal/OtlpClient.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import { ExportFailed, MetricsExporter } from "../../../src/observability/MetricsExporter.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import * as OtlpRequest from "../../src/observability/OtlpRequest.ts"

const fleet = {
  started: 50,
  snapshot: Snapshot.make(100, [
    { name: "a_total", type: "counter", help: "", series: [{ labels: Labels.of({}), value: 3 }] }
  ])
}

type CollectorResponse =
  | { readonly status: number; readonly body?: string; readonly retryAfter?: string }
  | "silent"
  | "refused"

interface Call {
  /** Seconds of the clock. */
  readonly at: number
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** A collector that responds with these in turn, and repeats the last one. */
const collector = (calls: Array<Call>, responses: ReadonlyArray<CollectorResponse>) =>
  Layer.succeed(OtlpClient.OtlpTransport, ({ body, headers, url }) =>
    Effect.gen(function* () {
      const response = responses[Math.min(calls.length, responses.length - 1)] ?? "silent"
      calls.push({ at: (yield* Clock.currentTimeMillis) / 1000, url, headers, body })
      if (response === "silent") return yield* Effect.never
      if (response === "refused") {
        return yield* new ExportFailed({ status: undefined, reason: "connect ECONNREFUSED 127.0.0.1:4318" })
      }
      return { status: response.status, retryAfter: response.retryAfter, body: response.body ?? "" }
    })
  )

/** Ships while the clock runs on by itself. */
const shipping = (...responses: ReadonlyArray<CollectorResponse>) =>
  Effect.gen(function* () {
    const calls: Array<Call> = []
    const settings = {
      endpoint: "http://collector/base",
      service: "shop",
      headers: Redacted.make({ "api-key": "k" }),
      timeout: 10_000
    }
    const layer = Layer.provide(OtlpClient.exporter(settings), collector(calls, responses))
    const fiber = yield* Effect.fork(
      Effect.either(
        Effect.provide(
          Effect.flatMap(MetricsExporter, ({ send }) => send(fleet)),
          layer
        )
      )
    )
    while ((yield* Fiber.poll(fiber))._tag === "None") {
      yield* TestClock.adjust("1 seconds")
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    }
    return { result: yield* Fiber.join(fiber), calls }
  })

const gaps = (calls: ReadonlyArray<Call>) => calls.slice(1).map(({ at }, index) => at - (calls[index]?.at ?? 0))

describe("the OTLP metrics exporter", () => {
  it.effect("posts one OTLP request in JSON to /v1/metrics, with the configured headers", () =>
    Effect.gen(function* () {
      const { calls, result } = yield* shipping({ status: 200 })
      expect(result).toMatchObject({ _tag: "Right", right: { status: 200, rejected: 0 } })
      expect(calls).toHaveLength(1)
      expect(calls[0]?.url).toBe("http://collector/base/v1/metrics")
      expect(calls[0]?.headers).toMatchObject({ "content-type": "application/json", "api-key": "k" })
      const request = OtlpRequest.parse(calls[0]?.body ?? "")
      expect(request.service).toBe("shop")
      expect(request.metrics.get("a_total")?.points.get("[]")).toMatchObject({ value: 3, start: 50_000_000_000n })
    })
  )

  it.effect.each([429, 502, 503, 504])("tries again after %i, the same request", (status) =>
    Effect.gen(function* () {
      const { calls, result } = yield* shipping({ status }, { status }, { status: 200 })
      expect(result).toMatchObject({ _tag: "Right", right: { status: 200 } })
      expect(calls).toHaveLength(3)
      expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
    })
  )

  it.effect.each([301, 400, 401, 404, 413, 500])("never tries again after %i", (status) =>
    Effect.gen(function* () {
      const { calls, result } = yield* shipping({ status, body: "no\nthanks" }, { status: 200 })
      expect(result).toMatchObject({ _tag: "Left", left: { status, reason: "no thanks" } })
      expect(calls).toHaveLength(1)
    })
  )

  it.effect("waits longer each time, and gives up after five", () =>
    Effect.gen(function* () {
      const { calls, result } = yield* shipping({ status: 503 })
      expect(result).toMatchObject({ _tag: "Left", left: { status: 503 } })
      expect(calls).toHaveLength(5)
      const waited = gaps(calls)
      ;[1, 2, 4, 8].forEach((most, index) => {
        expect(waited[index]).toBeGreaterThanOrEqual(most / 2)
        expect(waited[index]).toBeLessThanOrEqual(most + 1)
      })
    })
  )

  it.effect("waits as long as the collector requests", () =>
    Effect.gen(function* () {
      const { calls } = yield* shipping(
        { status: 429, retryAfter: "42" },
        { status: 503, retryAfter: "0" },
        { status: 200 }
      )
      const [first = 0, second = 0] = gaps(calls)
      expect(first).toBeGreaterThanOrEqual(42)
      expect(first).toBeLessThanOrEqual(43)
      expect(second).toBeLessThanOrEqual(1)
    })
  )

  it.effect("retries when there is no response, and fails with the reason in the end", () =>
    Effect.gen(function* () {
      const refused = yield* shipping("refused")
      expect(refused.calls).toHaveLength(5)
      expect(refused.result).toMatchObject({
        _tag: "Left",
        left: { status: undefined, message: "connect ECONNREFUSED 127.0.0.1:4318" }
      })
      const silent = yield* shipping("silent", { status: 200 })
      expect(silent.result).toMatchObject({ _tag: "Right" })
      expect(silent.calls).toHaveLength(2)
      expect(gaps(silent.calls)[0]).toBeGreaterThanOrEqual(10)
      const deaf = yield* shipping("silent")
      expect(deaf.result).toMatchObject({ _tag: "Left", left: { reason: "the collector took too long" } })
    })
  )

  it.effect("reports what a collector took only in part", () =>
    Effect.gen(function* () {
      const body = '{"partialSuccess":{"rejectedDataPoints":"2","errorMessage":"too old"}}'
      const { result } = yield* shipping({ status: 200, body })
      expect(result).toMatchObject({ _tag: "Right", right: { status: 200, rejected: 2, message: "too old" } })
    })
  )
})

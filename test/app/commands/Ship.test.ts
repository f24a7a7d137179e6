import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer, Ref, TestClock } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import * as Ship from "../../../app/commands/Ship.ts"
import * as FileFleet from "../../../layers/observability/FileFleet.ts"
import type { Fleet } from "../../../src/observability/Fleet.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import { ExportFailed, type ExportSummary, MetricsExporter } from "../../../src/observability/MetricsExporter.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import * as SnapshotEncoder from "../../../src/observability/internal/snapshot/SnapshotEncoder.ts"
import * as OtlpRequest from "../../src/observability/OtlpRequest.ts"
import { VERSION } from "../../../src/config/internal/Version.ts"
import * as Demo from "../../support/Demo.ts"
import { eventually } from "../../support/Eventually.ts"
import { printed } from "../../support/Printed.ts"
import * as Collector from "./Collector.ts"

const fleet = FileFleet.layerObserver({ directory: "nowhere" })

const exporter = (outcome: Effect.Effect<ExportSummary, ExportFailed>) =>
  Layer.succeed(MetricsExporter, { send: () => outcome })

const run = (
  command: Effect.Effect<number, never, Fleet | MetricsExporter>,
  outcome: Effect.Effect<ExportSummary, ExportFailed>
) => Effect.provide(printed(command), Layer.merge(fleet, exporter(outcome)))

const delivered = Effect.succeed({ status: 200, rejected: 0, message: "" })

describe("ship", () => {
  it.effect("prints the status and exits with 0 when all was accepted", () =>
    Effect.gen(function* () {
      expect(yield* run(Ship.sendOnce, delivered)).toEqual({ status: 0, out: "200 OK", error: "" })
      const warned = Effect.succeed({ status: 200, rejected: 0, message: "mind your labels" })
      expect(yield* run(Ship.sendOnce, warned)).toEqual({ status: 0, out: "200 OK: mind your labels", error: "" })
    })
  )

  it.effect("exits with 3 and the reason when some data was rejected", () =>
    Effect.gen(function* () {
      const partial = Effect.succeed({ status: 200, rejected: 2, message: "too old" })
      const error = "200 OK, but 2 data points were rejected: too old"
      expect(yield* run(Ship.sendOnce, partial)).toEqual({ status: 3, out: "", error })
    })
  )

  it.effect("exits with 1 and the reason when none was accepted", () =>
    Effect.gen(function* () {
      const refused = new ExportFailed({ status: 400, reason: "bad names" })
      expect(yield* run(Ship.sendOnce, refused)).toEqual({ status: 1, out: "", error: "not sent: 400 bad names" })
    })
  )

  it.each(["", "15", "0s", "soon", "1s 2s", "-1s", "1.5s"])("does not take %j for an interval", (text) => {
    expect(Ship.parseInterval(text)).toBeUndefined()
  })

  it("takes milliseconds, seconds, minutes and hours", () => {
    const millis = ["250ms", "15s", "2m", "1h"].map((text) => Duration.toMillis(Ship.parseInterval(text) ?? 0))
    expect(millis).toEqual([250, 15_000, 120_000, 3_600_000])
  })

  it.effect("keeps sending with --every, also after failures", () =>
    Effect.gen(function* () {
      const count = yield* Ref.make(0)
      const outcome = Effect.flatMap(
        Ref.updateAndGet(count, (n) => n + 1),
        (n) => (n === 2 ? Effect.fail(new ExportFailed({ status: 503, reason: "busy" })) : delivered)
      )
      const fiber = yield* Effect.fork(run(Ship.sendEvery(Duration.seconds(15)), outcome))
      yield* TestClock.adjust("14 seconds")
      expect(yield* Ref.get(count)).toBe(1)
      yield* TestClock.adjust("46 seconds")
      expect(yield* Ref.get(count)).toBe(5)
      yield* Fiber.interrupt(fiber)
    })
  )
})

describe("npm run ship", () => {
  const shipping = (url: string, storage: string, ...words: ReadonlyArray<string>) =>
    Demo.start(Demo.command("ship", ...words), {
      STORAGE_DIR: storage,
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_SERVICE_NAME: "shop",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=staging,service.name=kiosk"
    })

  it.scopedLive(
    "merges the files of the workers, posts them once and exits with the outcome",
    () =>
      Effect.gen(function* () {
        const storage = yield* Demo.folder
        const now = Date.now() / 1000
        mkdirSync(join(storage, "metrics"))
        for (const pid of [4194301, 4194302]) {
          const series = [{ labels: Labels.of({}), value: 21 }]
          const snapshot = Snapshot.make(now, [{ name: "a_total", type: "counter", help: "", series }])
          const origin = { id: `${pid}-00000000-1.x`, started: now - pid / 1e6, members: [] }
          writeFileSync(join(storage, "metrics", `worker-${pid}.json`), SnapshotEncoder.encode(snapshot, { origin }))
        }
        const good = yield* Collector.make(
          { status: 503, headers: { "retry-after": "0" } },
          { status: 200, body: "{}" }
        )
        const bad = yield* Collector.make({ status: 400, body: "no" })
        const partial = yield* Collector.make({
          status: 200,
          body: '{"partialSuccess":{"rejectedDataPoints":"1","errorMessage":"old"}}'
        })
        const one = (url: string) =>
          Effect.gen(function* () {
            const process = yield* shipping(url, storage)
            const { code } = yield* process.ended
            const { stderr, stdout } = process.output()
            return { code, out: stdout.trim(), error: stderr.trim() }
          })
        const ends = yield* Effect.all([one(`${good.url}/`), one(bad.url), one(partial.url)], { concurrency: 3 })
        expect(ends).toEqual([
          { code: 0, out: "200 OK", error: "" },
          { code: 1, out: "", error: "not sent: 400 no" },
          { code: 3, out: "", error: "200 OK, but 1 data points were rejected: old" }
        ])
        expect(good.received).toHaveLength(2)
        expect(bad.received).toHaveLength(1)
        const [first, again] = good.received
        expect(first).toMatchObject({ method: "POST", path: "/v1/metrics", contentType: "application/json" })
        expect(again?.body).toBe(first?.body)
        const { metrics, resource, scopeVersion } = OtlpRequest.parse(first?.body ?? "")
        expect(resource).toEqual({
          "service.name": "shop",
          "service.version": VERSION,
          "service.instance.id": hostname(),
          "deployment.environment": "staging",
          "telemetry.sdk.name": "effect-framework",
          "telemetry.sdk.language": "nodejs",
          "telemetry.sdk.version": VERSION
        })
        expect(scopeVersion).toBe(VERSION)
        expect(metrics.get("a_total")?.points.get("[]")).toMatchObject({ value: 42 })
        // The sums have one beginning, whichever process ships them, however often.
        const starts = [...good.received, ...bad.received, ...partial.received].map(
          ({ body }) => OtlpRequest.parse(body).metrics.get("a_total")?.points.get("[]")?.start
        )
        expect(new Set(starts).size).toBe(1)
      }),
    240_000
  )

  it.scopedLive(
    "keeps shipping until it is told to stop",
    () =>
      Effect.gen(function* () {
        const collector = yield* Collector.make({ status: 200 })
        const process = yield* shipping(collector.url, yield* Demo.folder, "--every", "50ms")
        yield* eventually(
          Effect.sync(() => collector.received.length),
          (count) => count >= 3
        )
        process.signal("SIGTERM")
        expect(yield* process.ended).toEqual({ code: 0, signal: null })
      }),
    240_000
  )

  it.scopedLive(
    "stops at the start, in one line, when the collector's address is malformed",
    () =>
      Effect.gen(function* () {
        const process = yield* shipping("collector", yield* Demo.folder)
        expect((yield* process.ended).code).toBe(255)
        expect(process.output().stderr).toMatch(/^OTEL_EXPORTER_OTLP_ENDPOINT is "collector", expected .*\n$/)
      }),
    240_000
  )
})

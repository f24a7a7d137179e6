import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, Either, Exit, Fiber, Layer, Logger, Scope, TestClock } from "effect"
import { chmodSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import * as Counter from "../../../src/observability/Counter.ts"
import * as Gauge from "../../../src/observability/Gauge.ts"
import { InvalidInstrument } from "../../../src/observability/Instrument.ts"
import * as Json from "../../../src/observability/Json.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import { DumpFailed, Observability } from "../../../src/observability/Observability.ts"
import * as Prometheus from "../../../src/observability/Prometheus.ts"
import * as Demo from "../../support/Demo.ts"

const bare = WorkerObservability.layerWith({ collectors: false })

const reading = (name: string) =>
  ({ name, type: "gauge", help: "", series: [{ labels: Labels.of({}), value: 1 }] }) as const

const heard = () => {
  const lines: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => lines.push(`${logLevel.label} ${String(message)}`))
  return { lines, layer: Logger.replace(Logger.defaultLogger, logger) }
}

describe("the registry of a worker", () => {
  it.scoped("gathers every instrument and every collector at the time of the clock", () =>
    Effect.gen(function* () {
      const { collectors, gather, metrics } = yield* Observability
      const counter = yield* Counter.make("a_total")
      yield* metrics.push(counter)
      yield* collectors.push({ name: "mine", collect: Effect.succeed([reading("b")]) })
      counter.increment(3)
      yield* TestClock.adjust("12345 millis")
      const snapshot = yield* gather
      expect(snapshot.timestamp).toBe(12.345)
      expect(snapshot.metrics.get("a_total")?.series).toMatchObject([{ value: 3 }])
      expect(snapshot.metrics.get("b")?.series).toMatchObject([{ value: 1 }])
      expect(yield* collectors.collect).toEqual([reading("b")])
    }).pipe(Effect.provide(bare))
  )

  it.effect("refuses with InvalidInstrument what cannot be printed beside the rest", () =>
    Effect.gen(function* () {
      const { metrics } = yield* Observability
      yield* metrics.push(yield* Counter.make("a"))
      expect(yield* Effect.flip(metrics.push(yield* Gauge.make("a")))).toBeInstanceOf(InvalidInstrument)
    }).pipe(Effect.provide(bare))
  )

  it.effect("exports the current snapshot", () =>
    Effect.gen(function* () {
      const observability = yield* Observability
      yield* observability.metrics.push(yield* Gauge.observable("a", () => 7))
      expect(yield* observability.export(Prometheus.exporter)).toBe("# HELP a a\n# TYPE a gauge\na 7\n")
    }).pipe(Effect.provide(bare))
  )

  it.effect("leaves out an observable that throws, and only that", () =>
    Effect.gen(function* () {
      const observability = yield* Observability
      const fail = (): number => {
        throw new Error("no")
      }
      yield* observability.metrics.push(yield* Gauge.observable("a", fail))
      yield* observability.metrics.push(yield* Gauge.observable("b", () => 1))
      expect(yield* observability.export(Prometheus.exporter)).toBe("# HELP b b\n# TYPE b gauge\nb 1\n")
    }).pipe(Effect.provide(bare))
  )

  it.scoped("leaves out a collector that dies or dawdles, and warns", () => {
    const log = heard()
    return Effect.gen(function* () {
      const { collectors, gather } = yield* Observability
      yield* collectors.push({ name: "dead", collect: Effect.die(new Error("no")) })
      yield* collectors.push({ name: "slow", collect: Effect.never })
      yield* collectors.push({ name: "good", collect: Effect.succeed([reading("a")]) })
      const gathering = yield* Effect.fork(gather)
      yield* TestClock.adjust("2 seconds")
      const snapshot = yield* Fiber.join(gathering)
      expect([...snapshot.metrics.keys()]).toEqual(["a"])
      expect(log.lines.sort()).toEqual([
        expect.stringMatching(/^WARN The collector dead failed/),
        expect.stringMatching(/^WARN The collector slow failed/)
      ])
    }).pipe(Effect.provide(Layer.merge(bare, log.layer)))
  })

  it.effect("keeps what a collector has counted when its scope closes, and runs it no more", () =>
    Effect.gen(function* () {
      const { collectors, gather } = yield* Observability
      let value = 0
      const total = () => ({
        ...reading("a_total"),
        type: "counter" as const,
        series: [{ labels: Labels.of({}), value }]
      })
      const scope = yield* Scope.make()
      const collect = Effect.sync(() => [total(), reading("b")])
      yield* Scope.extend(collectors.push({ name: "mine", collect }), scope)
      yield* gather
      value = 2
      yield* Scope.close(scope, Exit.void)
      value = 3
      const { metrics } = yield* gather
      expect([...metrics.keys()]).toEqual(["a_total"])
      expect(metrics.get("a_total")?.series).toMatchObject([{ value: 2 }])
    }).pipe(Effect.provide(bare))
  )

  it.effect("closes the scope of a collector that no longer answers", () => {
    const log = heard()
    return Effect.gen(function* () {
      const { collectors, gather } = yield* Observability
      let answers = true
      const counter = { ...reading("a_total"), type: "counter" as const }
      const collect = Effect.suspend(() => (answers ? Effect.succeed([counter]) : Effect.never))
      const scope = yield* Scope.make()
      yield* Scope.extend(collectors.push({ name: "mine", collect }), scope)
      yield* gather
      answers = false
      const closing = yield* Effect.fork(Effect.uninterruptible(Scope.close(scope, Exit.void)))
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(closing)
      expect(log.lines).toEqual([expect.stringMatching(/^WARN The collector mine failed/)])
    }).pipe(Effect.provide(Layer.merge(bare, log.layer)))
  })

  it.effect("warns once of a name with too many series", () => {
    const log = heard()
    return Effect.gen(function* () {
      const { gather, metrics } = yield* Observability
      const family = yield* Counter.family("x_total", { labels: ["user"], limit: 3 })
      yield* metrics.push(family)
      for (let user = 0; user < 9; user++) family.with({ user: `${user}` }).increment()
      yield* gather
      const { metrics: all } = yield* gather
      expect(all.get("x_total")?.series).toHaveLength(4)
      expect(log.lines).toEqual([expect.stringMatching(/^WARN x_total has too many series/)])
    }).pipe(Effect.provide(Layer.merge(bare, log.layer)))
  })
})

describe("a dump", () => {
  it.scoped("makes the directory, is private, and leaves nothing beside it", () =>
    Effect.gen(function* () {
      const observability = yield* Observability
      yield* observability.metrics.push(yield* Counter.make("a"))
      const folder = join(yield* Demo.folder, "deep", "metrics")
      const path = join(folder, "me.json")
      yield* observability.dump(Json.exporter, path)
      yield* observability.dump(Json.exporter, path)
      expect(readdirSync(folder)).toEqual(["me.json"])
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
      expect(Either.getOrThrow(Json.decode(readFileSync(path, "utf8"))).metrics.has("a")).toBe(true)
    }).pipe(Effect.provide(bare))
  )

  it.scoped("fails with the path and the reason, and leaves no draft", () =>
    Effect.gen(function* () {
      const observability = yield* Observability
      const folder = yield* Demo.folder
      const failure = yield* Effect.flip(observability.dump(Json.exporter, folder))
      expect(failure).toBeInstanceOf(DumpFailed)
      expect(failure.message).toContain(folder)
      chmodSync(folder, 0o700)
      expect(readdirSync(folder)).toEqual([])
    }).pipe(Effect.provide(bare))
  )
})

layer(WorkerObservability.layer)("the registry with its collectors", (it) => {
  it.effect("has the process, the runtime and Effect in one snapshot", () =>
    Effect.gen(function* () {
      const { gather } = yield* Observability
      const names = [...(yield* gather).metrics.keys()]
      expect(names).toEqual(expect.arrayContaining(["process_uptime_seconds", "runtime_gc_runs_total"]))
    })
  )
})

// The registry of this process.
import { Cause, Clock, Effect, Layer } from "effect"
import { type Collector, DumpFailed, type Exporter, Observability } from "../../src/observability/Observability.ts"
import * as Registry from "../../src/observability/internal/Registry.ts"
import { conflictsTotal } from "../../src/observability/internal/InstrumentRules.ts"
import { conflictCounter } from "../../src/observability/internal/snapshot/SeriesMerge.ts"
import { maxSeries } from "../../src/observability/internal/snapshot/SeriesLimit.ts"
import * as Snapshot from "../../src/observability/Snapshot.ts"
import * as EffectMetricsCollector from "./internal/EffectMetricsCollector.ts"
import * as ProcessCollector from "./internal/ProcessCollector.ts"
import * as RuntimeCollector from "./internal/RuntimeCollector.ts"
import * as SnapshotFile from "./internal/SnapshotFile.ts"

/** A collector that takes longer is left out of the snapshot. */
const collectTimeout = "2 seconds"

const make = (limit: number) => {
  const registry = Registry.make(limit)
  // Whether the last readings of a collector had anything but gauges.
  const collectors = new Map<Collector, boolean>()
  // The fleet takes the last snapshot of a process when the scopes of its collectors are closed.
  const retired: Array<Snapshot.Reading> = []

  const run = (collector: Collector) =>
    Effect.tap(collectSafely(collector), (readings) => {
      if (collectors.has(collector)) collectors.set(collector, readings.some(isCounted))
    })

  const collect = Effect.map(
    Effect.suspend(() => Effect.forEach([...collectors.keys()], run, { concurrency: "unbounded" })),
    (readings) => [...readings.flat(), ...retired]
  )

  const retire = (collector: Collector) =>
    Effect.suspend(() => {
      const last = collectors.get(collector) === true ? collectSafely(collector) : Effect.succeed([])
      collectors.delete(collector)
      return Effect.map(last, (readings) => retired.push(...readings.filter(isCounted)))
    })

  const gather = Effect.gen(function* () {
    const collected = yield* collect
    const now = yield* Clock.currentTimeMillis
    const snapshot = Snapshot.make(now / 1000, [...registry.read(), ...collected])
    for (const name of registry.takeOverflowed()) {
      yield* Effect.logWarning(`${name} has too many series; further labels are counted together as overflow="true"`)
    }
    return snapshot
  })

  return Observability.of({
    metrics: { push: (instrument) => Effect.suspend(() => registry.push(instrument)) },
    collectors: {
      push: (collector) =>
        Effect.asVoid(
          Effect.acquireRelease(
            Effect.sync(() => collectors.set(collector, false)),
            () => retire(collector)
          )
        ),
      collect
    },
    gather,
    export: (exporter) => Effect.map(gather, exporter.export),
    dump: (exporter: Exporter, path: string) =>
      Effect.flatMap(gather, (snapshot) =>
        Effect.try({
          try: () => SnapshotFile.write(path, exporter.export(snapshot)),
          catch: (error) => new DumpFailed({ path, reason: error instanceof Error ? error.message : String(error) })
        })
      )
  })
}

const isCounted = ({ type }: Snapshot.Reading): boolean => type !== "gauge"

const collectSafely = ({ collect, name }: Collector) =>
  collect.pipe(
    // Also at the end of a process, where nothing else can be interrupted.
    Effect.interruptible,
    Effect.timeout(collectTimeout),
    Effect.catchAllCause((cause) =>
      Effect.as(Effect.logWarning(`The collector ${name} failed; its metrics are left out`, Cause.squash(cause)), [])
    )
  )

// The merge counts its conflicts. The series exists from the start, so that the first one is an increase.
const conflicts: Collector = {
  name: "conflicts",
  collect: Effect.succeed([{ name: conflictsTotal, ...conflictCounter(0) }])
}

/** The built-in collectors, and the limit of instruments. */
export interface Options {
  /** Whether the process, the runtime and Effect's metrics are collected. */
  readonly collectors?: boolean
  /** How many instruments one name may have. */
  readonly limit?: number
}

/** A registry with another limit, or without the built-in collectors. */
export const layerWith = ({ collectors = true, limit = maxSeries }: Options): Layer.Layer<Observability> =>
  Layer.scoped(
    Observability,
    Effect.gen(function* () {
      const observability = make(limit)
      if (!collectors) return observability
      yield* observability.collectors.push(ProcessCollector.collector)
      yield* observability.collectors.push(yield* RuntimeCollector.make)
      yield* observability.collectors.push(EffectMetricsCollector.collector)
      yield* observability.collectors.push(conflicts)
      return observability
    })
  )

/** A registry that collects the process, the runtime and Effect's metrics. */
export const layer: Layer.Layer<Observability> = layerWith({})

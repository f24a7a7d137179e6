// Metrics of the JavaScript engine.
import { Effect, type Scope } from "effect"
import { createRequire } from "node:module"
import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks"
import v8 from "node:v8"
import type { Collector } from "../../../src/observability/Observability.ts"
import { type Measurement, readings } from "./ProcessCollector.ts"

/** A collector that measures from now until the scope closes. */
export const make: Effect.Effect<Collector, never, Scope.Scope> = Effect.gen(function* () {
  const gc = yield* Effect.acquireRelease(Effect.sync(monitorGc), ({ stop }) => Effect.sync(stop))
  const delay = yield* Effect.acquireRelease(Effect.sync(monitorDelay), ({ stop }) => Effect.sync(stop))
  const measurements: ReadonlyArray<Measurement> = [
    { name: "runtime_gc_runs_total", type: "counter", help: "Garbage collections", read: gc.runs },
    {
      name: "runtime_gc_collected_total",
      type: "counter",
      help: "Bytes freed by garbage collection",
      read: gc.collected
    },
    {
      name: "runtime_included_files",
      type: "gauge",
      help: "Loaded modules, built in or required",
      read: countModules
    },
    { name: "runtime_opcache_memory_used_bytes", type: "gauge", help: "Bytes of compiled code", read: codeSize },
    {
      name: "runtime_event_loop_delay_seconds",
      type: "gauge",
      help: "99th percentile of the event loop delay over the last seconds",
      read: delay.read
    }
  ]
  return { name: "runtime", collect: Effect.sync(() => readings(process.pid, measurements)) }
})

/** The profiler keeps a few kilobytes for each run until it is read, so it is read after this many runs. */
const readAfter = 64

interface Run {
  readonly beforeGC: { readonly heapStatistics: { readonly usedHeapSize: number } }
  readonly afterGC: { readonly heapStatistics: { readonly usedHeapSize: number } }
}

const monitorGc = () => {
  let profiler = new v8.GCProfiler()
  let runs = 0
  let collected = 0
  let unread = 0
  const readProfiler = () => {
    const statistics: ReadonlyArray<Run> = profiler.stop()?.statistics ?? []
    profiler = new v8.GCProfiler()
    profiler.start()
    unread = 0
    runs += statistics.length
    for (const { afterGC, beforeGC } of statistics) {
      collected += Math.max(0, beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize)
    }
  }
  const observer = new PerformanceObserver((list) => {
    unread += list.getEntries().length
    if (unread >= readAfter) readProfiler()
  })
  profiler.start()
  observer.observe({ entryTypes: ["gc"] })
  return {
    runs: () => (readProfiler(), runs),
    collected: () => collected,
    stop: () => {
      observer.disconnect()
      profiler.stop()
    }
  }
}

const resolution = 10
const window = 10_000

// Readings may be close together, for example with two scrapers, so the previous window counts too.
const monitorDelay = () => {
  const monitor = monitorEventLoopDelay({ resolution })
  monitor.enable()
  let previous = 0
  let windowStart = performance.now()
  // The monitor measures from timer to timer, so its own interval is subtracted.
  const current = () => (monitor.count === 0 ? 0 : Math.max(0, monitor.percentile(99) / 1e9 - resolution / 1e3))
  return {
    read: () => {
      const value = Math.max(previous, current())
      if (performance.now() - windowStart > window) {
        previous = current()
        windowStart = performance.now()
        monitor.reset()
      }
      return value
    },
    stop: () => void monitor.disable()
  }
}

// Not `getHeapCodeStatistics`: for it the engine stops and walks its heap, 10 ms of a small one and 130 of 150 MiB.
const codeSize = (): number =>
  v8
    .getHeapSpaceStatistics()
    .filter(({ space_name }) => space_name.startsWith("code_"))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0)

const { cache } = createRequire(import.meta.url)

const builtIn = (): ReadonlyArray<string> => {
  const loaded: unknown = Reflect.get(process, "moduleLoadList")
  return Array.isArray(loaded) ? loaded.filter((name) => String(name).startsWith("NativeModule ")) : []
}

// Imported modules are visible only to the inspector, and a program that was inspected once stays a few percent slower.
const countModules = (): number => builtIn().length + Object.keys(cache).length

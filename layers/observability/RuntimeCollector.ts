// What the JavaScript engine says about itself.
import { Effect, type Scope } from "effect"
import { createRequire } from "node:module"
import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks"
import v8 from "node:v8"
import { type Collector, type Measurement, readingsOf } from "../../src/observability/Collector.ts"

/** A collector that watches from now until the scope closes. */
export const make: Effect.Effect<Collector, never, Scope.Scope> = Effect.gen(function* () {
  const garbage = yield* Effect.acquireRelease(Effect.sync(watchGarbage), ({ stop }) => Effect.sync(stop))
  const delay = yield* Effect.acquireRelease(Effect.sync(watchDelay), ({ stop }) => Effect.sync(stop))
  const figures: ReadonlyArray<Measurement> = [
    { name: "runtime_gc_runs_total", type: "counter", help: "Garbage collections", of: garbage.runs },
    { name: "runtime_gc_collected_total", type: "counter", help: "Bytes they freed", of: garbage.collected },
    {
      name: "runtime_included_files",
      type: "gauge",
      help: "Modules that are loaded, built in or required",
      of: countModules
    },
    { name: "runtime_opcache_memory_used_bytes", type: "gauge", help: "Bytes of compiled code", of: watchCode() },
    {
      name: "runtime_event_loop_delay_seconds",
      type: "gauge",
      help: "How late 99 of 100 timers were at most, over the last seconds",
      of: delay.read
    }
  ]
  return { name: "runtime", collect: Effect.sync(() => readingsOf(process.pid, figures)) }
})

/** The profiler keeps a few kilobytes for each run until it is asked, so it is asked after so many of them. */
const batch = 64

interface Run {
  readonly beforeGC: { readonly heapStatistics: { readonly usedHeapSize: number } }
  readonly afterGC: { readonly heapStatistics: { readonly usedHeapSize: number } }
}

const watchGarbage = () => {
  let profiler = new v8.GCProfiler()
  let runs = 0
  let collected = 0
  let unasked = 0
  const ask = () => {
    const statistics: ReadonlyArray<Run> = profiler.stop()?.statistics ?? []
    profiler = new v8.GCProfiler()
    profiler.start()
    unasked = 0
    runs += statistics.length
    for (const { afterGC, beforeGC } of statistics) {
      collected += Math.max(0, beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize)
    }
  }
  const observer = new PerformanceObserver((list) => {
    unasked += list.getEntries().length
    if (unasked >= batch) ask()
  })
  profiler.start()
  observer.observe({ entryTypes: ["gc"] })
  return {
    runs: () => (ask(), runs),
    collected: () => collected,
    stop: () => {
      observer.disconnect()
      profiler.stop()
    }
  }
}

const resolution = 10
const window = 10_000

// A window that ends at each reading would be as short as the gap between two scrapers: the one before counts too.
const watchDelay = () => {
  const monitor = monitorEventLoopDelay({ resolution })
  monitor.enable()
  let before = 0
  let turned = performance.now()
  // The monitor measures from timer to timer, so its own interval is taken off.
  const current = () => (monitor.count === 0 ? 0 : Math.max(0, monitor.percentile(99) / 1e9 - resolution / 1e3))
  return {
    read: () => {
      const value = Math.max(before, current())
      if (performance.now() - turned > window) {
        before = current()
        turned = performance.now()
        monitor.reset()
      }
      return value
    },
    stop: () => void monitor.disable()
  }
}

// The engine walks its heap for this while nothing else runs, some ten milliseconds long, so a reading serves a while.
const watchCode = () => {
  let reading = v8.getHeapCodeStatistics()
  let read = performance.now()
  return (): number => {
    if (performance.now() - read > window) {
      reading = v8.getHeapCodeStatistics()
      read = performance.now()
    }
    return reading.bytecode_and_metadata_size + reading.code_and_metadata_size
  }
}

const { cache } = createRequire(import.meta.url)

const builtIn = (): ReadonlyArray<string> => {
  const loaded: unknown = Reflect.get(process, "moduleLoadList")
  return Array.isArray(loaded) ? loaded.filter((name) => String(name).startsWith("NativeModule ")) : []
}

// Only the inspector could tell of those that were imported, and a program that was inspected once, however briefly,
// stays some percent slower for good.
const countModules = (): number => builtIn().length + Object.keys(cache).length

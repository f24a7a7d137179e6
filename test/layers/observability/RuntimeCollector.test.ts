import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as RuntimeCollector from "../../../layers/observability/internal/RuntimeCollector.ts"
import { eventually } from "../../support/Eventually.ts"
import { figures, pid } from "./Collected.ts"

describe("the runtime collector", () => {
  it.scopedLive("names the figures of the specification, each with the process id", () =>
    Effect.gen(function* () {
      const all = yield* figures(yield* RuntimeCollector.make)
      expect(Object.keys(all)).toEqual([
        `runtime_gc_runs_total{${pid}}`,
        `runtime_gc_collected_total{${pid}}`,
        `runtime_included_files{${pid}}`,
        `runtime_opcache_memory_used_bytes{${pid}}`,
        `runtime_event_loop_delay_seconds{${pid}}`
      ])
      expect(all[`runtime_included_files{${pid}}`]).toBeGreaterThan(50)
      expect(all[`runtime_opcache_memory_used_bytes{${pid}}`]).toBeGreaterThan(100_000)
    })
  )

  it.scopedLive("counts collections and what they freed", () =>
    Effect.gen(function* () {
      setFlagsFromString("--expose-gc")
      const gc: () => void = runInNewContext("gc")
      const collector = yield* RuntimeCollector.make
      const before = yield* figures(collector)
      let waste: Array<object> = Array.from({ length: 200_000 }, (_, index) => ({ index }))
      expect(waste).toHaveLength(200_000)
      waste = []
      for (let run = 0; run < 3; run++) gc()
      const after = yield* figures(collector)
      const grown = (name: string) => (after[`${name}{${pid}}`] ?? 0) - (before[`${name}{${pid}}`] ?? 0)
      expect(grown("runtime_gc_runs_total")).toBeGreaterThanOrEqual(3)
      expect(grown("runtime_gc_collected_total")).toBeGreaterThan(1_000_000)
    })
  )

  it.scopedLive("sees an event loop that was held up", () =>
    Effect.gen(function* () {
      const collector = yield* RuntimeCollector.make
      const block = Effect.sync(() => {
        const end = performance.now() + 200
        while (performance.now() < end);
      })
      // The first one may come before the collector's timer has started.
      const seen = yield* eventually(
        Effect.zipRight(block, figures(collector)),
        (all) => (all[`runtime_event_loop_delay_seconds{${pid}}`] ?? 0) > 0.1
      )
      expect(seen[`runtime_event_loop_delay_seconds{${pid}}`]).toBeGreaterThan(0.1)
    })
  )
})

import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import * as ProcessCollector from "../../../layers/observability/internal/ProcessCollector.ts"
import { figures, pid } from "./Collected.ts"

describe("the process collector", () => {
  it.effect("names the figures of the specification, each with the process id", () =>
    Effect.gen(function* () {
      const all = yield* figures(ProcessCollector.collector)
      expect(Object.keys(all)).toEqual([
        `process_memory_bytes{${pid}}`,
        `process_memory_peak_bytes{${pid}}`,
        `process_cpu_seconds_total{${pid}}`,
        `process_uptime_seconds{${pid}}`,
        `process_open_fds{${pid}}`
      ])
      expect(all[`process_memory_peak_bytes{${pid}}`]).toBeGreaterThanOrEqual(all[`process_memory_bytes{${pid}}`] ?? 0)
      expect(all[`process_open_fds{${pid}}`]).toBeGreaterThan(2)
    })
  )

  it.effect("has the uptime of the process by the kernel's clock, not by the module's", () =>
    Effect.gen(function* () {
      const stat = readFileSync("/proc/self/stat", "utf8")
      const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19])
      const kernel = () => Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]) - ticks / 100
      const before = kernel()
      const uptime = (yield* figures(ProcessCollector.collector))[`process_uptime_seconds{${pid}}`]
      // The kernel counts in hundredths of a second, and Node takes its own start a little later.
      expect(uptime).toBeGreaterThan(before - 1)
      expect(uptime).toBeLessThan(kernel() + 1)
    })
  )
})

// Metrics of this process from the operating system.
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import type { Collector } from "../../../src/observability/Observability.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import type { Reading } from "../../../src/observability/Snapshot.ts"

/** One metric of a process and how to read it; `undefined` where this platform does not provide it. */
export interface Measurement {
  readonly name: string
  readonly type: "counter" | "gauge"
  readonly help: string
  readonly read: () => number | undefined
}

/** The readings of one process, labelled with its `pid`: the fleet adds up series with equal labels. */
export const readings = (pid: number, measurements: ReadonlyArray<Measurement>): ReadonlyArray<Reading> => {
  const labels = Labels.of({ pid: String(pid) })
  return measurements.flatMap(({ help, name, read, type }) => {
    const value = read()
    return value === undefined ? [] : [{ name, type, help, series: [{ labels, value }] }]
  })
}

/** Seconds since the process started. */
export const uptime = (): number => process.uptime()

/** Resident memory in bytes. */
export const memory = (): number => process.memoryUsage.rss()

// The kernel's high-water mark; without /proc, Node reports it in kilobytes.
const memoryPeak = (): number => {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readText("/proc/self/status"))?.[1]
  return (kilobytes === undefined ? process.resourceUsage().maxRSS : Number(kilobytes)) * 1024
}

const processorTime = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000_000
}

// One descriptor belongs to the listing itself. `undefined` without /proc.
const openDescriptors = (): number | undefined => {
  try {
    return readdirSync("/proc/self/fd").length - 1
  } catch {
    return undefined
  }
}

const readText = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

const measurements: ReadonlyArray<Measurement> = [
  { name: "process_memory_bytes", type: "gauge", help: "Resident memory in bytes", read: memory },
  { name: "process_memory_peak_bytes", type: "gauge", help: "Peak resident memory in bytes", read: memoryPeak },
  { name: "process_cpu_seconds_total", type: "counter", help: "CPU time in seconds", read: processorTime },
  { name: "process_uptime_seconds", type: "gauge", help: "Seconds since the process started", read: uptime },
  { name: "process_open_fds", type: "gauge", help: "Open file descriptors", read: openDescriptors }
]

/** Memory, CPU time, uptime and open descriptors as `process_*`, labelled with `pid`. */
export const collector: Collector = {
  name: "process",
  collect: Effect.sync(() => readings(process.pid, measurements))
}

// What the operating system says about this process.
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { type Collector, type Measurement, readingsOf } from "../../src/observability/Collector.ts"

/** Seconds since the process began, not since some module was loaded. */
export const uptime = (): number => process.uptime()

/** Bytes of the process that are in memory now. */
export const memory = (): number => process.memoryUsage.rss()

// The kernel's own high-water mark; where there is no /proc, node asks for it in kilobytes.
const memoryPeak = (): number => {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(read("/proc/self/status"))?.[1]
  return (kilobytes === undefined ? process.resourceUsage().maxRSS : Number(kilobytes)) * 1024
}

const processorTime = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000_000
}

// One of them is the listing itself, closed again by the time it is read. Nothing where there is no /proc.
const openDescriptors = (): number | undefined => {
  try {
    return readdirSync("/proc/self/fd").length - 1
  } catch {
    return undefined
  }
}

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

const figures: ReadonlyArray<Measurement> = [
  { name: "process_memory_bytes", type: "gauge", help: "Bytes of the process in memory", of: memory },
  { name: "process_memory_peak_bytes", type: "gauge", help: "Most bytes it ever had in memory", of: memoryPeak },
  { name: "process_cpu_seconds_total", type: "counter", help: "Processor time it used", of: processorTime },
  { name: "process_uptime_seconds", type: "gauge", help: "Seconds since it began", of: uptime },
  { name: "process_open_fds", type: "gauge", help: "Files and sockets it has open", of: openDescriptors }
]

/** Memory, processor time, uptime and open descriptors, as `process_*`, labelled by process. */
export const collector: Collector = {
  name: "process",
  collect: Effect.sync(() => readingsOf(process.pid, figures))
}

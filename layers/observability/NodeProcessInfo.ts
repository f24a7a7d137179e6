// The figures of this Node process for the health check.
import { Layer } from "effect"
import { ProcessInfo } from "../../src/observability/ProcessInfo.ts"
import { memory, uptime } from "./internal/ProcessCollector.ts"

/** Process id, uptime and memory of this process. */
export const layer: Layer.Layer<ProcessInfo> = Layer.sync(ProcessInfo, () => ({ pid: process.pid, uptime, memory }))

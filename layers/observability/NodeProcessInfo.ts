// The figures of this Node process for the health check.
import { Layer } from "effect"
import { ProcessInfo } from "../../src/observability/internal/ProcessInfo.ts"
import { memory, uptime } from "./internal/ProcessCollector.ts"

export type { ProcessInfo } from "../../src/observability/internal/ProcessInfo.ts"

/** Process id, uptime and memory of this process. */
export const layer: Layer.Layer<ProcessInfo> = Layer.sync(ProcessInfo, () => ({ pid: process.pid, uptime, memory }))

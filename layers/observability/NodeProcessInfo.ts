// The vitals of this process.
import { Layer } from "effect"
import { ProcessInfo } from "../../src/observability/ProcessInfo.ts"
import { memory, uptime } from "./ProcessCollector.ts"

/** The vitals of the running process. */
export const layer: Layer.Layer<ProcessInfo> = Layer.sync(ProcessInfo, () => ({ pid: process.pid, uptime, memory }))

// The vitals of this process.
import { Layer } from "effect"
import { Vitals } from "../../src/observability/Vitals.ts"
import { memory, uptime } from "./ProcessCollector.ts"

/** The vitals of the running process. */
export const layer: Layer.Layer<Vitals> = Layer.sync(Vitals, () => ({ pid: process.pid, uptime, memory }))

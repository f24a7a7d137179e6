// The few figures by which one sees that a process is well.
import { Context } from "effect"

/** The figures that `/health` answers with. */
export class ProcessInfo extends Context.Tag("effect-framework/observability/ProcessInfo")<
  ProcessInfo,
  {
    readonly pid: number
    /** Seconds since the process began. */
    readonly uptime: () => number
    /** Bytes it has in memory. */
    readonly memory: () => number
  }
>() {}

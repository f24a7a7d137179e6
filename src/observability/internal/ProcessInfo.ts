// Basic figures of a process, for a health check.
import { Context } from "effect"

/** The figures in the response of `/health`. */
export class ProcessInfo extends Context.Tag("effect-framework/observability/ProcessInfo")<
  ProcessInfo,
  {
    readonly pid: number
    /** Seconds since the process started. */
    readonly uptime: () => number
    /** Resident memory in bytes. */
    readonly memory: () => number
  }
>() {}

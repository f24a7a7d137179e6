// The bytes that went over this process's sockets, told by whoever owns them.
import { Context } from "effect"

/** The bytes on all sockets of the process, for whoever counts them. */
export class SocketTotals extends Context.Tag("effect-framework/observability/SocketTotals")<
  SocketTotals,
  {
    /** Bytes read since the process began, open sockets included. Never falls. */
    readonly read: () => number
    /** Bytes written since the process began, open sockets included. Never falls. */
    readonly written: () => number
  }
>() {}

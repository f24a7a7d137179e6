// The bytes that this process has read from and written to its sockets.
import { Context } from "effect"

/** Totals over all sockets of the process; the server provides them. */
export class SocketTotals extends Context.Tag("effect-framework/observability/SocketTotals")<
  SocketTotals,
  {
    /** Bytes read since the process started, including open sockets. Never decreases. */
    readonly read: () => number
    /** Bytes written since the process started, including open sockets. Never decreases. */
    readonly written: () => number
    /** The WebSockets that are open now. */
    readonly webSockets: () => number
  }
>() {}

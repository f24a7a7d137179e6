// Counts the bytes on the sockets of this process, and its open WebSockets.
import { Context, Effect, Layer } from "effect"
import * as Counter from "../../../src/observability/Counter.ts"
import * as Gauge from "../../../src/observability/Gauge.ts"
import type { InvalidInstrument } from "../../../src/observability/Instrument.ts"
import { Observability } from "../../../src/observability/Observability.ts"

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

/** `http_bytes_read_total`, `http_bytes_written_total` and `http_websockets_open`, labelled with `pid`. */
export const layer: Layer.Layer<never, InvalidInstrument, Observability | SocketTotals> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { metrics } = yield* Observability
    const { read, webSockets, written } = yield* SocketTotals
    const labels = { pid: String(process.pid) }
    yield* metrics.push(
      yield* Counter.observable("http_bytes_read_total", read, { help: "Bytes read from sockets", labels })
    )
    yield* metrics.push(
      yield* Counter.observable("http_bytes_written_total", written, { help: "Bytes written to sockets", labels })
    )
    yield* metrics.push(
      yield* Gauge.observable("http_websockets_open", webSockets, { help: "WebSockets that are open", labels })
    )
  })
)

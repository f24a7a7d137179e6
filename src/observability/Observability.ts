// The registry of a process: instruments and collectors go in, snapshots come out.
import { Context, type Effect, Schema } from "effect"
import type { Collector } from "./Collector.ts"
import type { Instrument, InvalidInstrument } from "./Instrument.ts"
import type { Reading, Snapshot } from "./Snapshot.ts"

/** A format a snapshot can be sent in. */
export interface Exporter {
  readonly contentType: string
  readonly export: (snapshot: Snapshot) => string
}

/** The file system did not take a snapshot. */
export class DumpFailed extends Schema.TaggedError<DumpFailed>("effect-framework/observability/DumpFailed")(
  "DumpFailed",
  {
    path: Schema.String,
    reason: Schema.String
  }
) {
  override get message(): string {
    return `${this.path} could not be written: ${this.reason}`
  }
}

/** What the registry of a process does. */
export interface Service {
  readonly metrics: {
    /** Takes an instrument in; refused when it could not be printed beside what is there. */
    readonly push: (instrument: Instrument) => Effect.Effect<void, InvalidInstrument>
  }
  readonly collectors: {
    readonly push: (collector: Collector) => Effect.Effect<void>
    /** What all collectors say now; one that fails or dawdles is left out and warned about. */
    readonly collect: Effect.Effect<ReadonlyArray<Reading>>
  }
  /** Reads every instrument and runs every collector. */
  readonly gather: Effect.Effect<Snapshot>
  readonly export: (exporter: Exporter) => Effect.Effect<string>
  /** Gathers, encodes and writes whole or not at all; makes the directory. */
  readonly dump: (exporter: Exporter, path: string) => Effect.Effect<void, DumpFailed>
}

/** The registry as a service: push instruments, gather snapshots, export them. */
export class Observability extends Context.Tag("effect-framework/observability/Observability")<
  Observability,
  Service
>() {}

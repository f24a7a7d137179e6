// The registry of a process: instruments and collectors go in, snapshots come out.
import { Context, type Effect, Schema, type Scope } from "effect"
import type { Instrument, InvalidInstrument } from "./Instrument.ts"
import type { Reading, Snapshot } from "./Snapshot.ts"

/** Run at each snapshot. A collector that fails or takes too long is left out, and a warning is logged. */
export interface Collector {
  /** Named in the warning when it fails. */
  readonly name: string
  readonly collect: Effect.Effect<ReadonlyArray<Reading>>
}

/** Encodes a snapshot as text, such as `Prometheus.exporter`. `MetricsExporter` sends one to a collector. */
export interface Exporter {
  readonly contentType: string
  readonly export: (snapshot: Snapshot) => string
}

/**
 * A snapshot could not be written to its file.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Json, Observability } from "effect-framework/observability"
 *
 * // An import that ends before anybody scrapes it leaves its numbers in a file, for `Fleet.aggregate`.
 * export const leave = (day: string) =>
 *   Effect.gen(function* () {
 *     const observability = yield* Observability.Observability
 *     yield* observability.dump(Json.exporter, `storage/imports/${day}.json`)
 *   }).pipe(Effect.catchTag("DumpFailed", ({ message }: Observability.DumpFailed) => Effect.logWarning(message)))
 * ```
 */
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

/** The registry as a service: push instruments, gather snapshots, export them. */
export class Observability extends Context.Tag("effect-framework/observability/Observability")<
  Observability,
  {
    readonly metrics: {
      /** Registers an instrument; fails when its name or type conflicts with another. */
      readonly push: (instrument: Instrument) => Effect.Effect<void, InvalidInstrument>
    }
    readonly collectors: {
      /**
       * Adds a collector until the scope closes: after that, what it reads may be closed too. Its counters and histograms
       * stay in further snapshots as they were then, its gauges do not.
       */
      readonly push: (collector: Collector) => Effect.Effect<void, never, Scope.Scope>
      /** Runs all collectors. One that fails or takes too long is left out, and a warning is logged. */
      readonly collect: Effect.Effect<ReadonlyArray<Reading>>
    }
    /** Reads every instrument and runs every collector. */
    readonly gather: Effect.Effect<Snapshot>
    /** Gathers and encodes. */
    readonly export: (exporter: Exporter) => Effect.Effect<string>
    /** Gathers, encodes and writes the file atomically; creates the directory. */
    readonly dump: (exporter: Exporter, path: string) => Effect.Effect<void, DumpFailed>
  }
>() {}

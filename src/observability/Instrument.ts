// The interface of every instrument: a name, a type, and series that can be read.
import { Effect, Schema } from "effect"
import type { Labels } from "./Labels.ts"
import type { Aggregation, Series, Type } from "./internal/snapshot/Series.ts"

/** The help text and fixed labels of an instrument. */
export interface InstrumentOptions {
  readonly help?: string
  readonly labels?: Readonly<Record<string, string>>
}

/** How the fleet merges a gauge. */
export interface GaugeOptions {
  /** `max` for a fact that all workers read from one place, such as a count in the database; else they are added up. */
  readonly aggregation?: "sum" | "max"
}

/** The label names, and the number of series after which further label values are counted together. */
export interface FamilyOptions<Name extends string> {
  readonly help?: string
  readonly labels: ReadonlyArray<Name>
  readonly limit?: number
}

/**
 * A name, a label, a bucket bound or a written number that would break the exposition or the sums made from it.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { type Counter, Instrument } from "effect-framework/observability"
 *
 * // The number comes from a client: one that no counter can grow by must not fail the order.
 * export const ordered = (cups: Counter.Counter, number: number) =>
 *   Instrument.effect(() => cups.increment(number)).pipe(
 *     Effect.catchTag("InvalidInstrument", ({ instrument, reason }: Instrument.InvalidInstrument) =>
 *       Effect.logWarning(`Not counted in ${instrument}: ${reason}`)
 *     )
 *   )
 * ```
 */
export class InvalidInstrument extends Schema.TaggedError<InvalidInstrument>(
  "effect-framework/observability/InvalidInstrument"
)("InvalidInstrument", {
  instrument: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.instrument === "" ? "An instrument without a name" : this.instrument}: ${this.reason}`
  }
}

/** What `Observability.metrics.push` accepts. */
export interface Instrument {
  readonly name: string
  readonly type: Type
  readonly help: string
  /** The labels of its only series; `undefined` for a family. */
  readonly labels?: Labels
  /** `max` for a gauge that the fleet must not add up. */
  readonly aggregation?: Aggregation | undefined
  /** The current series; empty for an observable that fails. */
  readonly read: () => ReadonlyArray<Series>
  /** Whether the limit of series was reached and further ones are counted together. */
  readonly overflowed: boolean
}

/** A write as an Effect: `Instrument.effect(() => counter.increment(by))` fails where the method throws `InvalidInstrument`. */
export const effect = (write: () => void): Effect.Effect<void, InvalidInstrument> =>
  Effect.suspend(() => {
    try {
      write()
      return Effect.void
    } catch (error) {
      return error instanceof InvalidInstrument ? Effect.fail(error) : Effect.die(error)
    }
  })

// The distribution of observed values: how many were less than or equal to each bound.
import { type Effect, Either } from "effect"
import type { Options as CounterOptions } from "./Counter.ts"
import * as Family from "./Family.ts"
import { type Instrument, InvalidInstrument } from "./Instrument.ts"
import { attempt, checkLabels, checkName, describe, refuse } from "./InstrumentRules.ts"
import type { Labels } from "./Labels.ts"
import type { Distribution } from "./Series.ts"

/** Buckets for the duration of a request, in seconds. */
export const defaultBuckets: ReadonlyArray<number> = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The options of a counter, and the upper bounds of the buckets in any order. */
export interface Options extends CounterOptions {
  readonly buckets?: ReadonlyArray<number>
}

/** A histogram with plain synchronous writes. Use `make`, which checks its name, labels and bounds. */
export class Histogram implements Instrument {
  readonly type = "histogram"
  readonly overflowed = false
  readonly name: string
  readonly help: string
  readonly labels: Labels
  readonly bounds: ReadonlyArray<number>
  // One slot for each bucket, not cumulative; the last one counts values above all bounds.
  private readonly slots: Float64Array
  private sum = 0

  constructor(name: string, help: string, labels: Labels, bounds: ReadonlyArray<number>) {
    this.name = name
    this.help = help
    this.labels = labels
    this.bounds = bounds
    this.slots = new Float64Array(bounds.length + 1)
  }

  /** Throws `InvalidInstrument` when the value is not a finite number. */
  observe(value: number): void {
    const sum = typeof value === "number" ? this.sum + value : Number.NaN
    if (!Number.isFinite(sum)) {
      throw new InvalidInstrument({ instrument: this.name, reason: `a histogram cannot observe ${describe(value)}` })
    }
    const { bounds, slots } = this
    let slot = 0
    while (slot < bounds.length && value > (bounds[slot] ?? 0)) slot++
    slots[slot] = (slots[slot] ?? 0) + 1
    this.sum = sum
  }

  read(): ReadonlyArray<Distribution> {
    let count = 0
    const counts = this.bounds.map((_, index) => (count += this.slots[index] ?? 0))
    count += this.slots[this.bounds.length] ?? 0
    return [{ labels: this.labels, bounds: this.bounds, counts, sum: this.sum, count }]
  }
}

const checkBounds = (
  name: string,
  given: ReadonlyArray<number>
): Either.Either<ReadonlyArray<number>, InvalidInstrument> => {
  if (given.length === 0) return refuse(name, "a histogram needs at least one bound")
  if (!given.every(Number.isFinite)) return refuse(name, "every bound must be finite; +Inf is added automatically")
  const sorted = given.map((bound) => bound + 0).sort((a, b) => a - b)
  return new Set(sorted).size === sorted.length ? Either.right(sorted) : refuse(name, "a bound is given twice")
}

/** A histogram, or `InvalidInstrument` when its name, a label or its bounds are not valid. */
export const make = (name: string, options: Options = {}): Either.Either<Histogram, InvalidInstrument> =>
  Either.gen(function* () {
    const labels = yield* checkLabels(name, "histogram", options.labels ?? {})
    const bounds = yield* checkBounds(name, options.buckets ?? defaultBuckets)
    return new Histogram(yield* checkName(name), options.help ?? "", labels, bounds)
  })

/** Histograms of one name and one set of bounds, one for each combination of label values. */
export const family = <const Name extends string>(
  name: string,
  options: Family.Options<Name> & { readonly buckets?: ReadonlyArray<number> }
): Either.Either<Family.Family<Name, Histogram>, InvalidInstrument> => {
  const help = options.help ?? ""
  return Either.flatMap(checkBounds(name, options.buckets ?? defaultBuckets), (bounds) =>
    Family.make(name, "histogram", options, (labels) => new Histogram(name, help, labels, bounds))
  )
}

/** The write as an Effect: fails where the method throws. */
export const observe = (histogram: Histogram, value: number): Effect.Effect<void, InvalidInstrument> =>
  attempt(() => histogram.observe(value))

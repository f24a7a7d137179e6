// The distribution of observed values: how many were less than or equal to each bound.
import { Either } from "effect"
import { type Exemplar, isTrace } from "./internal/snapshot/Exemplar.ts"
import type { Family } from "./internal/Family.ts"
import { checkBuckets, checkLabels, checkName, describe, makeFamily } from "./internal/InstrumentRules.ts"
import { type FamilyOptions, type Instrument, type InstrumentOptions, InvalidInstrument } from "./Instrument.ts"
import type { Labels } from "./Labels.ts"
import type { Distribution } from "./internal/snapshot/Series.ts"

export type { Exemplar } from "./internal/snapshot/Exemplar.ts"
export type { Distribution } from "./internal/snapshot/Series.ts"

export { defaultBuckets } from "./internal/InstrumentRules.ts"

/** The options of every instrument, and the upper bounds of the buckets in any order. */
export interface Options extends InstrumentOptions {
  readonly buckets?: ReadonlyArray<number>
}

/**
 * A histogram with plain synchronous writes. Use `make`, which checks its name, labels and bounds.
 *
 * @example
 * ```ts
 * import { Duration, Effect } from "effect"
 * import type { Histogram } from "effect-framework/observability"
 *
 * // Observes how many seconds a task takes.
 * export const timed = <A, E, R>(histogram: Histogram.Histogram, task: Effect.Effect<A, E, R>) =>
 *   Effect.map(Effect.timed(task), ([duration, result]) => {
 *     histogram.observe(Duration.toSeconds(duration))
 *     return result
 *   })
 * ```
 */
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
  // By slot; there are none where no trace is collected.
  private exemplars: Array<Exemplar | undefined> | undefined

  constructor(name: string, help: string, labels: Labels, bounds: ReadonlyArray<number>) {
    this.name = name
    this.help = help
    this.labels = labels
    this.bounds = bounds
    this.slots = new Float64Array(bounds.length + 1)
  }

  /**
   * Throws `InvalidInstrument` when the value is not a finite number. With the id of a collected trace, it is the exemplar
   * of its bucket.
   */
  observe(value: number, trace?: string): void {
    const sum = typeof value === "number" ? this.sum + value : Number.NaN
    if (!Number.isFinite(sum)) {
      throw new InvalidInstrument({ instrument: this.name, reason: `a histogram cannot observe ${describe(value)}` })
    }
    const { bounds, slots } = this
    let slot = 0
    while (slot < bounds.length && value > (bounds[slot] ?? 0)) slot++
    slots[slot] = (slots[slot] ?? 0) + 1
    this.sum = sum
    if (trace !== undefined) this.keep(slot, value, trace)
  }

  private keep(bucket: number, value: number, trace: string): void {
    if (!isTrace(trace)) return
    this.exemplars ??= Array.from(this.slots, () => undefined)
    this.exemplars[bucket] = { bucket, trace, value, timestamp: Date.now() / 1000 }
  }

  read(): ReadonlyArray<Distribution> {
    let count = 0
    const counts = this.bounds.map((_, index) => (count += this.slots[index] ?? 0))
    count += this.slots[this.bounds.length] ?? 0
    const { bounds, labels, sum } = this
    const exemplars = this.exemplars?.filter((exemplar) => exemplar !== undefined)
    return [
      exemplars === undefined
        ? { labels, bounds, counts, sum, count }
        : { labels, bounds, counts, sum, count, exemplars }
    ]
  }
}

/**
 * A histogram, or `InvalidInstrument` when its name, a label or its bounds are not valid.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Histogram, Observability } from "effect-framework/observability"
 *
 * export const program = Effect.gen(function* () {
 *   const { metrics } = yield* Observability.Observability
 *   const price = yield* Histogram.make("order_price_euros", { help: "What they cost", buckets: [10, 100] })
 *   yield* metrics.push(price)
 *   price.observe(12.5)
 * })
 * ```
 */
export const make = (name: string, options: Options = {}): Either.Either<Histogram, InvalidInstrument> =>
  Either.gen(function* () {
    const labels = yield* checkLabels(name, "histogram", options.labels ?? {})
    const bounds = yield* checkBuckets(name, options.buckets)
    return new Histogram(yield* checkName(name), options.help ?? "", labels, bounds)
  })

/**
 * Histograms of one name and one set of bounds, one for each combination of label values.
 *
 * @example
 * ```ts
 * import { Histogram } from "effect-framework/observability"
 *
 * export const brewing = Histogram.family("brewing_seconds", {
 *   help: "How long a pot takes",
 *   labels: ["tea"],
 *   buckets: [...Histogram.defaultBuckets, 30, 60]
 * })
 * ```
 */
export const family = <const Name extends string>(
  name: string,
  options: FamilyOptions<Name> & { readonly buckets?: ReadonlyArray<number> }
): Either.Either<Family<Name, Histogram>, InvalidInstrument> => {
  const help = options.help ?? ""
  return Either.flatMap(checkBuckets(name, options.buckets), (bounds) =>
    makeFamily(name, "histogram", options, (labels) => new Histogram(name, help, labels, bounds))
  )
}

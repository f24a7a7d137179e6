// A value that only increases.
import { Either } from "effect"
import type { Family } from "./internal/Family.ts"
import { checkLabels, checkName, describe, makeFamily, observed } from "./internal/InstrumentRules.ts"
import { type FamilyOptions, type Instrument, type InstrumentOptions, InvalidInstrument } from "./Instrument.ts"
import type { Labels } from "./Labels.ts"
import type { Sample } from "./internal/snapshot/Series.ts"

export type { Family } from "./internal/Family.ts"
export type { Sample } from "./internal/snapshot/Series.ts"

/** A counter with plain synchronous writes. Use `make`, which checks its name and labels. */
export class Counter implements Instrument {
  readonly type = "counter"
  readonly overflowed = false
  readonly name: string
  readonly help: string
  readonly labels: Labels
  private value = 0

  constructor(name: string, help: string, labels: Labels) {
    this.name = name
    this.help = help
    this.labels = labels
  }

  /** Throws `InvalidInstrument` when `by` is negative, not a number or not finite. */
  increment(by?: number): void {
    if (by === undefined) this.value += 1
    else if (typeof by === "number" && by >= 0 && by <= Number.MAX_SAFE_INTEGER) this.value += by
    else this.incrementChecked(by)
  }

  // Only a step of this size can make the sum infinite, so only here is the sum checked.
  private incrementChecked(by: unknown): void {
    const next = typeof by === "number" && by >= 0 ? this.value + by : Number.NaN
    if (!Number.isFinite(next)) {
      throw new InvalidInstrument({ instrument: this.name, reason: `a counter cannot grow by ${describe(by)}` })
    }
    this.value = next
  }

  read(): ReadonlyArray<Sample> {
    return [{ labels: this.labels, value: this.value }]
  }
}

/**
 * A counter, or `InvalidInstrument` when its name or a label is not valid.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Counter, Observability } from "effect-framework/observability"
 *
 * export const program = Effect.gen(function* () {
 *   const { metrics } = yield* Observability.Observability
 *   const orders = yield* Counter.make("orders_total", { help: "Orders" })
 *   yield* metrics.push(orders)
 *   orders.increment()
 * })
 * ```
 */
export const make = (name: string, options: InstrumentOptions = {}): Either.Either<Counter, InvalidInstrument> =>
  Either.gen(function* () {
    const labels = yield* checkLabels(name, "counter", options.labels ?? {})
    return new Counter(yield* checkName(name), options.help ?? "", labels)
  })

/**
 * Counters of one name, one for each combination of label values.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Counter } from "effect-framework/observability"
 *
 * export const program = Effect.gen(function* () {
 *   const orders = yield* Counter.family("orders_total", { help: "Orders by country", labels: ["country"] })
 *   const toFrance = orders.with({ country: "fr" })
 *   toFrance.increment(2)
 * })
 * ```
 */
export const family = <const Name extends string>(
  name: string,
  options: FamilyOptions<Name>
): Either.Either<Family<Name, Counter>, InvalidInstrument> => {
  const help = options.help ?? ""
  return makeFamily(name, "counter", options, (labels) => new Counter(name, help, labels))
}

/**
 * A counter whose value is read from a callback at each snapshot.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Counter, Observability } from "effect-framework/observability"
 *
 * // The cache counts its hits itself: the number is read when somebody asks.
 * export const measure = (cache: { readonly hits: number }) =>
 *   Effect.gen(function* () {
 *     const { metrics } = yield* Observability.Observability
 *     const hits = yield* Counter.observable("recipe_cache_hits_total", () => cache.hits, { help: "Recipes from memory" })
 *     yield* metrics.push(hits)
 *   })
 * ```
 */
export const observable = (
  name: string,
  observe: () => number,
  options: InstrumentOptions = {}
): Either.Either<Instrument, InvalidInstrument> =>
  Either.map(make(name, options), (counter) => observed(counter, observe, 0))

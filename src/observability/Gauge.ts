// A value that goes up and down.
import { Either } from "effect"
import type { Family } from "./internal/Family.ts"
import { checkLabels, checkName, describe, makeFamily, observed } from "./internal/InstrumentRules.ts"
import {
  type FamilyOptions,
  type GaugeOptions,
  type Instrument,
  type InstrumentOptions,
  InvalidInstrument
} from "./Instrument.ts"
import type { Labels } from "./Labels.ts"
import type { Aggregation, Sample } from "./internal/snapshot/Series.ts"

/**
 * A gauge with plain synchronous writes. Use `make`, which checks its name and labels.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import type { Gauge } from "effect-framework/observability"
 *
 * // Counts the tasks in progress.
 * export const counted = <A, E, R>(gauge: Gauge.Gauge, task: Effect.Effect<A, E, R>) =>
 *   Effect.acquireUseRelease(
 *     Effect.sync(() => gauge.increment()),
 *     () => task,
 *     () => Effect.sync(() => gauge.decrement())
 *   )
 * ```
 */
export class Gauge implements Instrument {
  readonly type = "gauge"
  readonly overflowed = false
  readonly name: string
  readonly help: string
  readonly labels: Labels
  readonly aggregation: Aggregation | undefined
  private value = 0

  constructor(name: string, help: string, labels: Labels, aggregation?: Aggregation) {
    this.name = name
    this.help = help
    this.labels = labels
    this.aggregation = aggregation
  }

  /** Throws `InvalidInstrument` when the value is not a finite number, like every write here. */
  set(value: number): void {
    if (!Number.isFinite(value)) throw this.invalid("be", value)
    this.value = value
  }

  increment(by = 1): void {
    const next = typeof by === "number" ? this.value + by : Number.NaN
    if (!Number.isFinite(next)) throw this.invalid("grow by", by)
    this.value = next
  }

  decrement(by = 1): void {
    const next = typeof by === "number" ? this.value - by : Number.NaN
    if (!Number.isFinite(next)) throw this.invalid("fall by", by)
    this.value = next
  }

  private invalid(verb: string, value: unknown): InvalidInstrument {
    return new InvalidInstrument({ instrument: this.name, reason: `a gauge cannot ${verb} ${describe(value)}` })
  }

  read(): ReadonlyArray<Sample> {
    return [{ labels: this.labels, value: this.value }]
  }
}

const aggregationOf = ({ aggregation }: GaugeOptions): Aggregation | undefined =>
  aggregation === "max" ? aggregation : undefined

/**
 * A gauge, or `InvalidInstrument` when its name or a label is not valid.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Gauge, Observability } from "effect-framework/observability"
 *
 * export const program = Effect.gen(function* () {
 *   const { metrics } = yield* Observability.Observability
 *   const waiting = yield* Gauge.make("orders_waiting", { help: "Orders that nobody has packed" })
 *   yield* metrics.push(waiting)
 *   waiting.set(3)
 * })
 * ```
 */
export const make = (
  name: string,
  options: InstrumentOptions & GaugeOptions = {}
): Either.Either<Gauge, InvalidInstrument> =>
  Either.gen(function* () {
    const labels = yield* checkLabels(name, "gauge", options.labels ?? {})
    return new Gauge(yield* checkName(name), options.help ?? "", labels, aggregationOf(options))
  })

/**
 * Gauges of one name, one for each combination of label values.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Gauge, Observability } from "effect-framework/observability"
 *
 * // All workers read the stock from one table, so the fleet takes the largest value in place of the sum.
 * export const program = Effect.gen(function* () {
 *   const { metrics } = yield* Observability.Observability
 *   const stock = yield* Gauge.family("stock_grams", { help: "Tea in stock", labels: ["tea"], aggregation: "max" })
 *   yield* metrics.push(stock)
 *   stock.with({ tea: "green" }).set(750)
 *   stock.with({ tea: "black" }).set(1200)
 * })
 * ```
 */
export const family = <const Name extends string>(
  name: string,
  options: FamilyOptions<Name> & GaugeOptions
): Either.Either<Family<Name, Gauge>, InvalidInstrument> => {
  const help = options.help ?? ""
  const aggregation = aggregationOf(options)
  return makeFamily(name, "gauge", options, (labels) => new Gauge(name, help, labels, aggregation), aggregation)
}

/** A gauge whose value is read from a callback at each snapshot. */
export const observable = (
  name: string,
  observe: () => number,
  options: InstrumentOptions & GaugeOptions = {}
): Either.Either<Instrument, InvalidInstrument> =>
  Either.map(make(name, options), (gauge) => observed(gauge, observe, Number.NEGATIVE_INFINITY))

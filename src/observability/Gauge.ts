// A number that goes up and down.
import { type Effect, Either } from "effect"
import type { Options } from "./Counter.ts"
import * as Family from "./Family.ts"
import { attempt, checkLabels, checkName, type Instrument, InvalidInstrument, observed, shown } from "./Instrument.ts"
import type { Labels } from "./Labels.ts"
import type { Sample } from "./Series.ts"

/** Holds a value that is set, raised and lowered with plain synchronous writes. */
export class Gauge implements Instrument {
  readonly type = "gauge"
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

  /** Throws `InvalidInstrument` for what is not a finite number, like every write here. */
  set(value: number): void {
    if (!Number.isFinite(value)) throw this.refusal("be", value)
    this.value = value
  }

  increment(by = 1): void {
    const next = typeof by === "number" ? this.value + by : Number.NaN
    if (!Number.isFinite(next)) throw this.refusal("grow by", by)
    this.value = next
  }

  decrement(by = 1): void {
    const next = typeof by === "number" ? this.value - by : Number.NaN
    if (!Number.isFinite(next)) throw this.refusal("fall by", by)
    this.value = next
  }

  private refusal(verb: string, value: unknown): InvalidInstrument {
    return new InvalidInstrument({ instrument: this.name, reason: `a gauge cannot ${verb} ${shown(value)}` })
  }

  read(): ReadonlyArray<Sample> {
    return [{ labels: this.labels, value: this.value }]
  }
}

/** A gauge; refused when its name or a label could not be printed. */
export const make = (name: string, options: Options = {}): Either.Either<Gauge, InvalidInstrument> =>
  Either.gen(function* () {
    const labels = yield* checkLabels(name, "gauge", options.labels ?? {})
    return new Gauge(yield* checkName(name), options.help ?? "", labels)
  })

/** Gauges of one name, told apart by these labels. */
export const family = <const Name extends string>(
  name: string,
  options: Family.Options<Name>
): Either.Either<Family.Family<Name, Gauge>, InvalidInstrument> => {
  const help = options.help ?? ""
  return Family.make(name, "gauge", options, (labels) => new Gauge(name, help, labels))
}

/** A gauge whose number is kept elsewhere and asked for at each snapshot. */
export const observable = (
  name: string,
  observe: () => number,
  options: Options = {}
): Either.Either<Instrument, InvalidInstrument> =>
  Either.map(make(name, options), (described) => observed(described, observe, Number.NEGATIVE_INFINITY))

/** The same writes as Effects. */
export const set = (gauge: Gauge, value: number): Effect.Effect<void, InvalidInstrument> =>
  attempt(() => gauge.set(value))

/** Raises the gauge by one or by a step; fails when the sum is not finite. */
export const increment = (gauge: Gauge, by?: number): Effect.Effect<void, InvalidInstrument> =>
  attempt(() => gauge.increment(by))

/** Lowers the gauge by one or by a step; fails when the difference is not finite. */
export const decrement = (gauge: Gauge, by?: number): Effect.Effect<void, InvalidInstrument> =>
  attempt(() => gauge.decrement(by))

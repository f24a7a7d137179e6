// A number that only grows.
import { type Effect, Either } from "effect"
import * as Family from "./Family.ts"
import { attempt, checkLabels, checkName, type Instrument, InvalidInstrument, observed, shown } from "./Instrument.ts"
import type { Labels } from "./Labels.ts"
import type { Sample } from "./Series.ts"

/** What the instrument is for, and labels that never change. */
export interface Options {
  readonly help?: string
  readonly labels?: Readonly<Record<string, string>>
}

/** Counts with plain synchronous writes; `make` checks its name and labels. */
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

  /** Throws `InvalidInstrument` for what is negative, not a number or not finite. */
  increment(by?: number): void {
    if (by === undefined) this.value += 1
    else if (typeof by === "number" && by >= 0 && by <= Number.MAX_SAFE_INTEGER) this.value += by
    else this.leap(by)
  }

  // Only here can a finite step reach infinity, so only here is the sum looked at.
  private leap(by: unknown): void {
    const next = typeof by === "number" && by >= 0 ? this.value + by : Number.NaN
    if (!Number.isFinite(next)) {
      throw new InvalidInstrument({ instrument: this.name, reason: `a counter cannot grow by ${shown(by)}` })
    }
    this.value = next
  }

  read(): ReadonlyArray<Sample> {
    return [{ labels: this.labels, value: this.value }]
  }
}

/** A counter; refused when its name or a label could not be printed. */
export const make = (name: string, options: Options = {}): Either.Either<Counter, InvalidInstrument> =>
  Either.gen(function* () {
    const labels = yield* checkLabels(name, "counter", options.labels ?? {})
    return new Counter(yield* checkName(name), options.help ?? "", labels)
  })

/** Counters of one name, told apart by these labels. */
export const family = <const Name extends string>(
  name: string,
  options: Family.Options<Name>
): Either.Either<Family.Family<Name, Counter>, InvalidInstrument> => {
  const help = options.help ?? ""
  return Family.make(name, "counter", options, (labels) => new Counter(name, help, labels))
}

/** A counter whose number is kept elsewhere and asked for at each snapshot. */
export const observable = (
  name: string,
  observe: () => number,
  options: Options = {}
): Either.Either<Instrument, InvalidInstrument> =>
  Either.map(make(name, options), (described) => observed(described, observe, 0))

/** The same write as an Effect. */
export const increment = (counter: Counter, by?: number): Effect.Effect<void, InvalidInstrument> =>
  attempt(() => counter.increment(by))

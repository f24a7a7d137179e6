// Checks and helpers that all instruments share.
import { Either } from "effect"
import { isName } from "./export/Exposition.ts"
import { type FamilyOptions, type Instrument, InvalidInstrument } from "../Instrument.ts"
import * as LabelRules from "./LabelRules.ts"
import * as Labels from "../Labels.ts"
import type { Aggregation, Type } from "./snapshot/Series.ts"
import { Family } from "./Family.ts"
import { maxSeries } from "./snapshot/SeriesLimit.ts"

/** The counter of merge conflicts. Only the merge writes to it, so no instrument may have this name. */
export const conflictsTotal = "metrics_merge_conflicts_total"

/** An `InvalidInstrument` as a `Left`. */
export const refuse = (instrument: string, reason: string): Either.Either<never, InvalidInstrument> =>
  Either.left(new InvalidInstrument({ instrument, reason }))

/** A name that the exposition can print and that is not reserved. */
export const checkName = (name: string): Either.Either<string, InvalidInstrument> => {
  if (!isName(name)) return refuse(name, "a name is letters, digits, _ and :, and does not begin with a digit")
  return name === conflictsTotal ? refuse(name, "this name is reserved for the merge") : Either.right(name)
}

/** Labels that the exposition can print on a metric of this type. */
export const checkLabels = (
  name: string,
  type: Type,
  given: Readonly<Record<string, string>>
): Either.Either<Labels.Labels, InvalidInstrument> => {
  const problem = LabelRules.problem(type, given)
  return problem === undefined ? Either.right(Labels.of(given)) : refuse(name, problem)
}

/** A refused value for a message: a number as it is, anything else by its type, because printing it may throw. */
export const describe = (value: unknown): string => {
  if (typeof value === "number") return String(value)
  return value === null ? "null" : `a value of type ${typeof value}`
}

// `undefined` when it throws, or returns a number that a write would refuse.
const observeSafely = (observe: () => number, min: number): number | undefined => {
  try {
    const value: unknown = observe()
    return typeof value === "number" && value >= min && Number.isFinite(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** An instrument whose value, at least `min`, is read from a callback at each snapshot. */
export const observed = (
  {
    aggregation,
    help,
    labels,
    name,
    type
  }: Pick<Instrument, "name" | "type" | "help" | "aggregation"> & { readonly labels: Labels.Labels },
  observe: () => number,
  min: number
): Instrument => ({
  name,
  type,
  help,
  labels,
  aggregation,
  overflowed: false,
  read: () => {
    const value = observeSafely(observe, min)
    return value === undefined ? [] : [{ labels, value }]
  }
})

/** A family of any instrument, or `InvalidInstrument` when its name, a label or the limit is not valid. */
export const makeFamily = <Name extends string, Child extends Instrument>(
  name: string,
  type: Type,
  options: FamilyOptions<Name>,
  create: (labels: Labels.Labels) => Child,
  aggregation?: Aggregation
): Either.Either<Family<Name, Child>, InvalidInstrument> =>
  Either.gen(function* () {
    const { help = "", labels, limit = maxSeries } = options
    if (labels.length === 0) return yield* refuse(name, "a family needs at least one label")
    if (new Set<string>(labels).size !== labels.length) return yield* refuse(name, "a label is given twice")
    if (!(Number.isInteger(limit) && limit > 0)) return yield* refuse(name, "the limit must be a positive integer")
    if (labels.some((label) => label === "overflow")) return yield* refuse(name, "the label overflow is reserved")
    yield* checkLabels(name, type, Object.fromEntries(labels.map((label) => [label, ""])))
    return new Family(yield* checkName(name), type, { help, labels, limit }, create, aggregation)
  })

/** Buckets for the duration of a request, in seconds. */
export const defaultBuckets: ReadonlyArray<number> = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The bounds in ascending order, or why they cannot be those of a histogram. */
export const checkBuckets = (
  name: string,
  given: ReadonlyArray<number> = defaultBuckets
): Either.Either<ReadonlyArray<number>, InvalidInstrument> => {
  if (given.length === 0) return refuse(name, "a histogram needs at least one bound")
  if (!given.every(Number.isFinite)) return refuse(name, "every bound must be finite; +Inf is added automatically")
  const sorted = given.map((bound) => bound + 0).sort((a, b) => a - b)
  return new Set(sorted).size === sorted.length ? Either.right(sorted) : refuse(name, "a bound is given twice")
}

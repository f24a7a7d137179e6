// The bounds of a histogram.
import { Either } from "effect"
import type { InvalidInstrument } from "../Instrument.ts"
import { refuse } from "./InstrumentRules.ts"

/** Buckets for the duration of a request, in seconds. */
export const defaultBuckets: ReadonlyArray<number> = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The bounds in ascending order, or why they cannot be those of a histogram. */
export const check = (
  name: string,
  given: ReadonlyArray<number> = defaultBuckets
): Either.Either<ReadonlyArray<number>, InvalidInstrument> => {
  if (given.length === 0) return refuse(name, "a histogram needs at least one bound")
  if (!given.every(Number.isFinite)) return refuse(name, "every bound must be finite; +Inf is added automatically")
  const sorted = given.map((bound) => bound + 0).sort((a, b) => a - b)
  return new Set(sorted).size === sorted.length ? Either.right(sorted) : refuse(name, "a bound is given twice")
}

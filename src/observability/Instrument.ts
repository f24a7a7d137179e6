// What every instrument is: a name of one type, and series that can be read.
import { Effect, Either, Schema } from "effect"
import * as Labels from "./Labels.ts"
import type { Series, Type } from "./Series.ts"

/** A name, a label, a bound or a written number that would break the exposition or the sums made from it. */
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

/** What a registry takes in: anything with a name, a type and series. */
export interface Instrument {
  readonly name: string
  readonly type: Type
  readonly help: string
  /** Those of its one series; a family has many. */
  readonly labels?: Labels.Labels
  /** The series as they stand now; an observable that fails has none. */
  readonly read: () => ReadonlyArray<Series>
  /** True once series were folded together because there were too many. */
  readonly overflowed: boolean
}

/** What the merge writes its conflicts to; nobody else may own the name. */
export const conflicts = "metrics_merge_conflicts_total"

const nameRule = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/

/** Whether the expositions can print this name. */
export const isName = (text: string): boolean => nameRule.test(text)

/** A name the exposition can print. */
export const checkName = (name: string): Either.Either<string, InvalidInstrument> => {
  if (!isName(name)) return refuse(name, "a name is letters, digits, _ and :, and does not begin with a digit")
  return name === conflicts ? refuse(name, "this name belongs to the merge") : Either.right(name)
}

/** Labels the exposition can print on a metric of this type. */
export const checkLabels = (
  name: string,
  type: Type,
  given: Readonly<Record<string, string>>
): Either.Either<Labels.Labels, InvalidInstrument> => {
  const fault = Labels.problem(type, given)
  return fault === undefined ? Either.right(Labels.of(given)) : refuse(name, fault)
}

/** A refusal that names the instrument and the reason. */
export const refuse = (instrument: string, reason: string): Either.Either<never, InvalidInstrument> =>
  Either.left(new InvalidInstrument({ instrument, reason }))

/** A refused value for a message: a number as it is, anything else by its type, since it may not be printable. */
export const shown = (value: unknown): string => {
  if (typeof value === "number") return String(value)
  return value === null ? "null" : `a value of type ${typeof value}`
}

const parts = ["_bucket", "_sum", "_count"] as const

/** The sample names a histogram prints beside its own. */
export const histogramParts = (name: string): ReadonlyArray<string> => parts.map((part) => name + part)

/** The histogram whose sample this name would be, if there were one. */
export const histogramOf = (name: string): string | undefined => {
  const part = parts.find((suffix) => name.endsWith(suffix))
  return part === undefined ? undefined : name.slice(0, -part.length)
}

// Nothing when it throws, or gives what could not have been written.
const ask = (observe: () => number, least: number): number | undefined => {
  try {
    const value: unknown = observe()
    return typeof value === "number" && value >= least && Number.isFinite(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** An instrument of this description whose number, at least so much, is kept elsewhere and asked for at each snapshot. */
export const observed = (
  { help, labels, name, type }: Pick<Instrument, "name" | "type" | "help"> & { readonly labels: Labels.Labels },
  observe: () => number,
  least: number
): Instrument => ({
  name,
  type,
  help,
  labels,
  overflowed: false,
  read: () => {
    const value = ask(observe, least)
    return value === undefined ? [] : [{ labels, value }]
  }
})

/** A write that throws, as an Effect that fails. */
export const attempt = (write: () => void): Effect.Effect<void, InvalidInstrument> =>
  Effect.suspend(() => {
    try {
      write()
      return Effect.void
    } catch (error) {
      return error instanceof InvalidInstrument ? Effect.fail(error) : Effect.die(error)
    }
  })

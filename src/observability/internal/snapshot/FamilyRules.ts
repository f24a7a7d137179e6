// Which families may be made.
import { Either } from "effect"
import { Family } from "../../Family.ts"
import type { Instrument, InvalidInstrument } from "../../Instrument.ts"
import type { FamilyOptions } from "../InstrumentOptions.ts"
import { checkLabels, checkName, refuse } from "../InstrumentRules.ts"
import type { Labels } from "../../Labels.ts"
import type { Aggregation, Type } from "./Series.ts"
import { maxSeries } from "./SeriesLimit.ts"

/** A family of any instrument, or `InvalidInstrument` when its name, a label or the limit is not valid. */
export const make = <Name extends string, Child extends Instrument>(
  name: string,
  type: Type,
  options: FamilyOptions<Name>,
  create: (labels: Labels) => Child,
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

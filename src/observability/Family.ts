// Instruments of one name, distinguished by labels. Bind a child once, then write to it without a lookup.
import { Either } from "effect"
import { type Instrument, InvalidInstrument } from "./Instrument.ts"
import { checkLabels, checkName, refuse } from "./InstrumentRules.ts"
import { wellFormed } from "./LabelRules.ts"
import * as Labels from "./Labels.ts"
import type { Series, Type } from "./Series.ts"
import { maxLabelLength, maxSeries, overflow } from "./SeriesLimit.ts"

/** The label names, and the number of series after which further label values are counted together. */
export interface Options<Name extends string> {
  readonly help?: string
  readonly labels: ReadonlyArray<Name>
  readonly limit?: number
}

/** Children by their label values; `with` returns one, which is written to like any instrument. */
export class Family<Name extends string, Child extends Instrument> implements Instrument {
  readonly name: string
  readonly type: Type
  readonly help: string
  private readonly names: ReadonlyArray<Name>
  private readonly limit: number
  private readonly create: (labels: Labels.Labels) => Child
  private readonly children = new Map<string, Child>()
  private overflowChild: Child | undefined
  // Sorted by labels, as a snapshot needs them; sorted again only after a child was added.
  private sorted: ReadonlyArray<Child> | undefined

  constructor(name: string, type: Type, options: Required<Options<Name>>, create: (labels: Labels.Labels) => Child) {
    this.name = name
    this.type = type
    this.help = options.help
    this.names = options.labels
    this.limit = options.limit
    this.create = create
  }

  /** The child with these label values; the overflow child at the limit, so that no input can fill the memory. */
  with(labels: Readonly<Record<Name, string>>): Child {
    const key = this.key(labels)
    const existing = this.children.get(key)
    if (existing !== undefined) return existing
    if (this.children.size >= this.limit || this.names.some((name) => labels[name].length > maxLabelLength)) {
      return (this.overflowChild ??= this.add(overflow))
    }
    const child = this.add(Labels.of(labels))
    this.children.set(key, child)
    return child
  }

  read(): ReadonlyArray<Series> {
    this.sorted ??= [...this.children.values(), ...(this.overflowChild ? [this.overflowChild] : [])].sort(byLabels)
    const series: Array<Series> = []
    for (const child of this.sorted) for (const item of child.read()) series.push(item)
    return series
  }

  get overflowed(): boolean {
    return this.overflowChild !== undefined
  }

  private add(labels: Labels.Labels): Child {
    this.sorted = undefined
    return this.create(labels)
  }

  // Each value is preceded by its length, so that no two sets of values share a key.
  private key(labels: Readonly<Record<Name, string>>): string {
    let key = ""
    for (const name of this.names) {
      const value: unknown = labels[name]
      if (typeof value !== "string") {
        throw new InvalidInstrument({ instrument: this.name, reason: `the label ${name} is missing or not a string` })
      }
      const text = wellFormed(value)
      key += `${text.length}:${text}`
    }
    return key
  }
}

const byLabels = (a: Instrument, b: Instrument): number => ((a.labels?.text ?? "") < (b.labels?.text ?? "") ? -1 : 1)

/** A family of any instrument, or `InvalidInstrument` when its name, a label or the limit is not valid. */
export const make = <Name extends string, Child extends Instrument>(
  name: string,
  type: Type,
  options: Options<Name>,
  create: (labels: Labels.Labels) => Child
): Either.Either<Family<Name, Child>, InvalidInstrument> =>
  Either.gen(function* () {
    const { help = "", labels, limit = maxSeries } = options
    if (labels.length === 0) return yield* refuse(name, "a family needs at least one label")
    if (new Set<string>(labels).size !== labels.length) return yield* refuse(name, "a label is given twice")
    if (!(Number.isInteger(limit) && limit > 0)) return yield* refuse(name, "the limit must be a positive integer")
    if (labels.some((label) => label === "overflow")) return yield* refuse(name, "the label overflow is reserved")
    yield* checkLabels(name, type, Object.fromEntries(labels.map((label) => [label, ""])))
    return new Family(yield* checkName(name), type, { help, labels, limit }, create)
  })

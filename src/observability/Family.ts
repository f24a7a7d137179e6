// Instruments of one name, told apart by labels: bind once, then write to the child without looking anything up.
import { Either } from "effect"
import { checkLabels, checkName, type Instrument, InvalidInstrument, refuse } from "./Instrument.ts"
import * as Labels from "./Labels.ts"
import type { Series, Type } from "./Series.ts"

/** Series a name may have before the rest is folded together. */
export const maxSeries = 2_000

/** The names of the labels, and how many series they may make before the rest is folded into one. */
export interface Options<Name extends string> {
  readonly help?: string
  readonly labels: ReadonlyArray<Name>
  readonly limit?: number
}

/** Children by their labels; `with` binds one, which is then written to like any instrument. */
export class Family<Name extends string, Child extends Instrument> implements Instrument {
  readonly name: string
  readonly type: Type
  readonly help: string
  private readonly names: ReadonlyArray<Name>
  private readonly limit: number
  private readonly create: (labels: Labels.Labels) => Child
  private readonly children = new Map<string, Child>()
  private rest: Child | undefined
  // In the order of their labels, as a snapshot wants them; found again only after a birth.
  private ordered: ReadonlyArray<Child> | undefined

  constructor(name: string, type: Type, options: Required<Options<Name>>, create: (labels: Labels.Labels) => Child) {
    this.name = name
    this.type = type
    this.help = options.help
    this.names = options.labels
    this.limit = options.limit
    this.create = create
  }

  /** The child of these labels; the overflow child when the name is full, so that no input can eat the memory. */
  with(labels: Readonly<Record<Name, string>>): Child {
    const key = this.key(labels)
    const child = this.children.get(key)
    if (child !== undefined) return child
    if (this.children.size >= this.limit || this.names.some((name) => labels[name].length > Labels.maxLength)) {
      return (this.rest ??= this.born(Labels.overflow))
    }
    const born = this.born(Labels.of(labels))
    this.children.set(key, born)
    return born
  }

  read(): ReadonlyArray<Series> {
    this.ordered ??= [...this.children.values(), ...(this.rest === undefined ? [] : [this.rest])].sort(byLabels)
    const series: Array<Series> = []
    for (const child of this.ordered) for (const item of child.read()) series.push(item)
    return series
  }

  private born(labels: Labels.Labels): Child {
    this.ordered = undefined
    return this.create(labels)
  }

  get overflowed(): boolean {
    return this.rest !== undefined
  }

  // Lengths stand before values, so that no two sets of values share a key.
  private key(labels: Readonly<Record<Name, string>>): string {
    let key = ""
    for (const name of this.names) {
      const value: unknown = labels[name]
      if (typeof value !== "string") {
        throw new InvalidInstrument({ instrument: this.name, reason: `the label ${name} is missing or not a text` })
      }
      const text = Labels.wellFormed(value)
      key += `${text.length}:${text}`
    }
    return key
  }
}

const byLabels = (a: Instrument, b: Instrument): number => ((a.labels?.text ?? "") < (b.labels?.text ?? "") ? -1 : 1)

/** A family of any instrument; refused when its name or a label could not be printed. */
export const make = <Name extends string, Child extends Instrument>(
  name: string,
  type: Type,
  options: Options<Name>,
  create: (labels: Labels.Labels) => Child
): Either.Either<Family<Name, Child>, InvalidInstrument> =>
  Either.gen(function* () {
    const { help = "", labels, limit = maxSeries } = options
    if (labels.length === 0) return yield* refuse(name, "a family needs at least one label")
    if (new Set<string>(labels).size !== labels.length) return yield* refuse(name, "a label stands twice")
    if (!(Number.isInteger(limit) && limit > 0)) return yield* refuse(name, "the limit is a positive whole number")
    if (labels.some((label) => label === "overflow")) return yield* refuse(name, "the label overflow belongs to us")
    yield* checkLabels(name, type, Object.fromEntries(labels.map((label) => [label, ""])))
    return new Family(yield* checkName(name), type, { help, labels, limit }, create)
  })

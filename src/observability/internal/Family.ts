// Instruments of one name, distinguished by labels. Bind a child once, then write to it without a lookup.
import { type FamilyOptions, type Instrument, InvalidInstrument } from "../Instrument.ts"
import { wellFormed } from "./LabelRules.ts"
import * as Labels from "../Labels.ts"
import type { Aggregation, Series, Type } from "./snapshot/Series.ts"
import { maxLabelLength, overflow } from "./snapshot/SeriesLimit.ts"

/** Children by their label values; `with` returns one, which is written to like any instrument. */
export class Family<Name extends string, Child extends Instrument> implements Instrument {
  readonly name: string
  readonly type: Type
  readonly help: string
  readonly aggregation: Aggregation | undefined
  private readonly names: ReadonlyArray<Name>
  private readonly limit: number
  private readonly create: (labels: Labels.Labels) => Child
  private readonly children = new Map<string, Child>()
  private overflowChild: Child | undefined
  // Sorted by labels, as a snapshot needs them; sorted again only after a child was added.
  private sorted: ReadonlyArray<Child> | undefined

  constructor(
    name: string,
    type: Type,
    options: Required<FamilyOptions<Name>>,
    create: (labels: Labels.Labels) => Child,
    aggregation?: Aggregation
  ) {
    this.name = name
    this.type = type
    this.help = options.help
    this.names = options.labels
    this.limit = options.limit
    this.create = create
    this.aggregation = aggregation
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

// A JSON document that claims to be a snapshot, looked through before anything is summed from it.
import { Either, Schema } from "effect"
import { conflicts, isName } from "./Instrument.ts"
import * as Labels from "./Labels.ts"
import type { Distribution, Sample, Series, Type } from "./Series.ts"
import { make, type Reading, type Snapshot } from "./Snapshot.ts"

/** A text that is not a snapshot of ours: torn, foreign or damaged. */
export class InvalidSnapshot extends Schema.TaggedError<InvalidSnapshot>(
  "effect-framework/observability/InvalidSnapshot"
)("InvalidSnapshot", {
  reason: Schema.String
}) {
  override get message(): string {
    return `Not a snapshot: ${this.reason}`
  }
}

type Members = Readonly<Record<string, unknown>>

/**
 * Written by hand rather than as a schema: the files of all workers are read on every scrape. They hold much the same
 * series, so labels are taken over from a snapshot that is alike, where there is one.
 */
export const fromJson = (document: unknown, alike?: Snapshot): Either.Either<Snapshot, InvalidSnapshot> => {
  try {
    const { metrics, timestamp } = members(document, "the document")
    if (typeof timestamp !== "number") throw flaw("timestamp is not a number")
    const readings = Object.entries(members(metrics, "metrics")).map(([name, value]) =>
      reading(name, members(value, name), alike?.metrics.get(name)?.series ?? [])
    )
    const snapshot = make(timestamp, readings)
    if (clashed(readings, snapshot)) throw flaw("its series clash with each other")
    return Either.right(snapshot)
  } catch (error) {
    if (error instanceof InvalidSnapshot) return Either.left(error)
    throw error
  }
}

const flaw = (reason: string): InvalidSnapshot => new InvalidSnapshot({ reason })

// An honest writer leaves nothing to drop: a conflict here means that the document is damaged.
const clashed = (readings: ReadonlyArray<Reading>, { metrics }: Snapshot): boolean =>
  readings.length !== metrics.size ||
  readings.some(({ name, series }) => metrics.get(name)?.series.length !== series.length)

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const members = (value: unknown, what: string): Members => {
  if (!isObject(value)) throw flaw(`${what} is not an object`)
  return value
}

const isType = (value: unknown): value is Type => value === "counter" || value === "gauge" || value === "histogram"

const reading = (name: string, { help, series, type }: Members, alike: ReadonlyArray<Series>): Reading => {
  if (!isName(name)) throw flaw("a name cannot be printed")
  if (!isType(type) || (name === conflicts && type !== "counter")) throw flaw(`${name} has no type of ours`)
  if (typeof help !== "string" || !Array.isArray(series)) throw flaw(`${name} has no help or no series`)
  const read = type === "histogram" ? distributionReader(name) : sampleReader(name)
  const labels = labelReader(name, type)
  const one = (item: unknown, index: number): Series => {
    const given = members(item, name)
    return read(given, labels(members(given.labels, name), alike[index]?.labels))
  }
  return { name, type, help, series: series.map(one) }
}

type Reader = (item: Members, labels: Labels.Labels) => Series

const sampleReader =
  (name: string): Reader =>
  (item, labels): Sample => {
    const value = number(item.value)
    if (value === undefined) throw flaw(`${name} has a value that is not a number`)
    return { labels, value }
  }

const distributionReader = (name: string): Reader => {
  const buckets = bucketReader(name)
  return (item, labels): Distribution => {
    const { bounds, counts, last } = buckets(members(item.buckets, name))
    const sum = number(item.sum)
    if (sum === undefined || item.count !== last) throw flaw(`${name} does not count what its buckets hold`)
    return { labels, bounds, counts, sum, count: last }
  }
}

const number = (value: unknown): number | undefined => {
  if (typeof value === "number") return value
  if (value === "NaN") return Number.NaN
  return value === "+Inf" ? Infinity : value === "-Inf" ? -Infinity : undefined
}

const labelReader = (name: string, type: Type) => {
  // The same few names stand on every series: each is looked at once.
  const good = new Set<string>()
  return (given: Members, alike: Labels.Labels | undefined): Labels.Labels => {
    if (alike !== undefined && isSame(alike, given)) return alike
    const record: Record<string, string> = {}
    for (const [label, value] of Object.entries(given)) {
      if (typeof value !== "string") throw flaw(`${name} has a label that is not a text`)
      if (!good.has(label) && (!Labels.isName(label) || Labels.isReserved(label, type))) {
        throw flaw(`${name} has a label that cannot be printed`)
      }
      good.add(label)
      record[label] = value
    }
    return Labels.of(record)
  }
}

const isSame = ({ record, size }: Labels.Labels, given: Members): boolean => {
  let count = 0
  for (const label in given) {
    if (record[label] !== given[label]) return false
    count++
  }
  return count === size
}

interface Layout {
  readonly keys: ReadonlyArray<string>
  readonly sorted: ReadonlyArray<string>
  readonly bounds: ReadonlyArray<number>
}

// Parsing puts whole bounds before the others. One metric repeats one set of bounds, which is put in order once.
const bucketReader = (name: string) => {
  let layout: Layout | undefined
  return (given: Members): { bounds: ReadonlyArray<number>; counts: ReadonlyArray<number>; last: number } => {
    const keys = Object.keys(given)
    if (layout === undefined || !sameKeys(layout.keys, keys)) layout = arrange(name, keys)
    let last = 0
    const rising = (key: string): number => {
      const count = given[key]
      if (typeof count !== "number" || !Number.isInteger(count) || count < last) {
        throw flaw(`${name} has buckets that do not add up`)
      }
      return (last = count)
    }
    const counts = layout.sorted.map(rising)
    return { bounds: layout.bounds, counts, last: rising("+Inf") }
  }
}

const sameKeys = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  a.length === b.length && a.every((key, index) => key === b[index])

const arrange = (name: string, keys: ReadonlyArray<string>): Layout => {
  const sorted = keys.filter((key) => key !== "+Inf").sort((a, b) => Number(a) - Number(b))
  const bounds = sorted.map(Number)
  if (
    bounds.length === 0 ||
    bounds.some((bound, index) => !Number.isFinite(bound) || String(bound) !== sorted[index])
  ) {
    throw flaw(`${name} has a bound that is not a number`)
  }
  return { keys, sorted, bounds }
}

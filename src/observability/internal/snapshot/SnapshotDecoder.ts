// Reads the JSON document of a snapshot. Written by hand instead of as a schema: all files are read on every scrape.
import { Either } from "effect"
import { type Exemplar, isTrace } from "./Exemplar.ts"
import { isName } from "../export/Exposition.ts"
import { conflictsTotal } from "../InstrumentRules.ts"
import * as LabelRules from "../LabelRules.ts"
import * as Labels from "../../Labels.ts"
import type { Distribution, Sample, Series, Type } from "./Series.ts"
import { InvalidSnapshot, make, type Reading, type Snapshot } from "../../Snapshot.ts"

type Members = Readonly<Record<string, unknown>>

/** Parses a text as JSON. */
export const parse = (text: string): Either.Either<unknown, InvalidSnapshot> => {
  try {
    return Either.right(JSON.parse(text))
  } catch {
    return Either.left(invalid("it is not JSON"))
  }
}

/**
 * The snapshot of a parsed document. The files of all workers have much the same series, so label objects are reused from
 * `similar`, a snapshot that was read before; the result does not depend on it.
 */
export const decode = (document: unknown, similar?: Snapshot): Either.Either<Snapshot, InvalidSnapshot> => {
  try {
    const { metrics, timestamp } = members(document, "the document")
    if (typeof timestamp !== "number") throw invalid("timestamp is not a number")
    const readings = Object.entries(members(metrics, "metrics")).map(([name, value]) =>
      reading(name, members(value, name), similar?.metrics.get(name)?.series ?? [])
    )
    const snapshot = make(timestamp, readings)
    if (hasConflicts(readings, snapshot)) throw invalid("its series conflict with each other")
    return Either.right(snapshot)
  } catch (error) {
    if (error instanceof InvalidSnapshot) return Either.left(error)
    throw error
  }
}

const invalid = (reason: string): InvalidSnapshot => new InvalidSnapshot({ reason })

// The encoder never writes conflicting series: a conflict means that the document is damaged.
const hasConflicts = (readings: ReadonlyArray<Reading>, { metrics }: Snapshot): boolean =>
  readings.length !== metrics.size ||
  readings.some(({ name, series }) => metrics.get(name)?.series.length !== series.length)

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const members = (value: unknown, what: string): Members => {
  if (!isObject(value)) throw invalid(`${what} is not an object`)
  return value
}

const isType = (value: unknown): value is Type => value === "counter" || value === "gauge" || value === "histogram"

const reading = (
  name: string,
  { aggregation, help, series, type }: Members,
  similar: ReadonlyArray<Series>
): Reading => {
  if (!isName(name)) throw invalid("a name is not valid")
  if (!isType(type) || (name === conflictsTotal && type !== "counter")) throw invalid(`${name} has an unknown type`)
  if (typeof help !== "string" || !Array.isArray(series)) throw invalid(`${name} has no help or no series`)
  if (aggregation !== undefined && (aggregation !== "max" || type !== "gauge")) {
    throw invalid(`${name} has an unknown aggregation`)
  }
  const read = type === "histogram" ? distributionReader(name) : sampleReader(name)
  const labels = labelReader(name, type)
  const decodeOne = (item: unknown, index: number): Series => {
    const given = members(item, name)
    return read(given, labels(members(given.labels, name), similar[index]?.labels))
  }
  return { name, type, help, aggregation, series: series.map(decodeOne) }
}

type Reader = (item: Members, labels: Labels.Labels) => Series

const sampleReader =
  (name: string): Reader =>
  (item, labels): Sample => {
    const value = number(item.value)
    if (value === undefined) throw invalid(`${name} has a value that is not a number`)
    return { labels, value }
  }

const distributionReader = (name: string): Reader => {
  const buckets = bucketReader(name)
  return (item, labels): Distribution => {
    const { bounds, counts, last } = buckets(members(item.buckets, name))
    const sum = number(item.sum)
    if (sum === undefined || item.count !== last)
      throw invalid(`${name} has a sum or count that does not match its buckets`)
    if (item.exemplars === undefined) return { labels, bounds, counts, sum, count: last }
    return { labels, bounds, counts, sum, count: last, exemplars: exemplarsOf(name, item.exemplars, bounds.length) }
  }
}

const exemplarsOf = (name: string, given: unknown, last: number): ReadonlyArray<Exemplar> => {
  if (!Array.isArray(given) || given.length > last + 1) throw invalid(`${name} has exemplars that are not a list`)
  let next = 0
  return given.map((item: unknown) => {
    const [bucket, trace, value, timestamp]: ReadonlyArray<unknown> = Array.isArray(item) ? item : []
    if (typeof bucket !== "number" || !Number.isInteger(bucket) || bucket < next || bucket > last) {
      throw invalid(`${name} has an exemplar of no bucket`)
    }
    if (typeof trace !== "string" || !isTrace(trace) || typeof value !== "number" || typeof timestamp !== "number") {
      throw invalid(`${name} has an exemplar that is not valid`)
    }
    next = bucket + 1
    return { bucket, trace, value, timestamp }
  })
}

const number = (value: unknown): number | undefined => {
  if (typeof value === "number") return value
  if (value === "NaN") return Number.NaN
  return value === "+Inf" ? Infinity : value === "-Inf" ? -Infinity : undefined
}

const labelReader = (name: string, type: Type) => {
  // All series have the same few names: each is checked once.
  const valid = new Set<string>()
  return (given: Members, similar: Labels.Labels | undefined): Labels.Labels => {
    if (similar !== undefined && isSame(similar, given)) return similar
    const record: Record<string, string> = {}
    for (const [label, value] of Object.entries(given)) {
      if (typeof value !== "string") throw invalid(`${name} has a label that is not a string`)
      if (!valid.has(label) && (!LabelRules.isName(label) || LabelRules.isReserved(label, type))) {
        throw invalid(`${name} has a label name that is not valid`)
      }
      valid.add(label)
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

// `JSON.parse` puts integer bounds before the others. All series of a metric have the same bounds, so they are sorted once.
const bucketReader = (name: string) => {
  let layout: Layout | undefined
  return (given: Members): { bounds: ReadonlyArray<number>; counts: ReadonlyArray<number>; last: number } => {
    const keys = Object.keys(given)
    if (layout === undefined || !sameKeys(layout.keys, keys)) layout = layoutOf(name, keys)
    let last = 0
    const next = (key: string): number => {
      const count = given[key]
      if (typeof count !== "number" || !Number.isInteger(count) || count < last) {
        throw invalid(`${name} has buckets that are not cumulative`)
      }
      return (last = count)
    }
    const counts = layout.sorted.map(next)
    return { bounds: layout.bounds, counts, last: next("+Inf") }
  }
}

const sameKeys = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  a.length === b.length && a.every((key, index) => key === b[index])

const layoutOf = (name: string, keys: ReadonlyArray<string>): Layout => {
  const sorted = keys.filter((key) => key !== "+Inf").sort((a, b) => Number(a) - Number(b))
  const bounds = sorted.map(Number)
  // A histogram of Effect may have no bounds.
  if (bounds.some((bound, index) => !Number.isFinite(bound) || String(bound) !== sorted[index])) {
    throw invalid(`${name} has a bound that is not a number`)
  }
  return { keys, sorted, bounds }
}

// Snapshots of every shape, for properties and for examples.
import { FastCheck } from "effect"
import * as Labels from "../../../src/observability/Labels.ts"
import {
  type Aggregation,
  isDistribution,
  type Series,
  type Type
} from "../../../src/observability/internal/snapshot/Series.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"

/** Texts with everything that a format could stumble over. */
export const nasty = FastCheck.oneof(
  FastCheck.constantFrom(
    "",
    " ",
    "\\",
    '"',
    "\n",
    "\\n",
    'a"b\\c\nd',
    "\r",
    "{}",
    "é",
    "😀",
    "\ud800",
    "=,",
    "# EOF",
    "\u2028"
  ),
  FastCheck.string({ unit: "binary", maxLength: 8 }),
  FastCheck.string({ maxLength: 8 })
)

const labels = FastCheck.dictionary(FastCheck.constantFrom("method", "route", "class", "_x", "Z9"), nasty, {
  maxKeys: 3,
  noNullPrototype: true
}).map(Labels.of)

const distribution = (sums: FastCheck.Arbitrary<number>, boundSets: ReadonlyArray<ReadonlyArray<number>>) =>
  FastCheck.tuple(
    labels,
    FastCheck.constantFrom(...boundSets),
    FastCheck.array(FastCheck.nat(1000), { minLength: 6, maxLength: 6 }),
    sums
  ).map(([labels, bounds, slots, sum]): Series => {
    let count = 0
    const counts = bounds.map((_, index) => (count += slots[index] ?? 0))
    return { labels, bounds, counts, sum, count: count + (slots[5] ?? 0) }
  })

const sample = (numbers: FastCheck.Arbitrary<number>) =>
  FastCheck.tuple(labels, numbers).map(([labels, value]): Series => ({ labels, value }))

const reading = (
  name: string,
  type: Type,
  series: FastCheck.Arbitrary<Array<Series>>,
  aggregation: FastCheck.Arbitrary<Aggregation | undefined>
) =>
  FastCheck.record({ name: FastCheck.constant(name), type: FastCheck.constant(type), help: nasty, series, aggregation })

const stamp = FastCheck.integer({ min: 0, max: 4_000_000_000_000 }).map((milliseconds) => milliseconds / 1000)

// Few names, so that snapshots meet; some would clash with what a histogram prints.
const names = ["a", "a_total", "b_seconds", "b_seconds_count", "c:d", "_e", "x_sum", "x", "f_total", "f"]
const types: ReadonlyArray<Type> = ["counter", "gauge", "histogram"]
const manyBounds = [[0.005, 0.1, 1, 2.5, 10], [1], [-1, 0, 1e6, 1e21], [1e-7, 0.5]]

/** Anything that can be in a snapshot. */
export const arbitrary = FastCheck.tuple(
  stamp,
  FastCheck.array(
    FastCheck.tuple(FastCheck.constantFrom(...names), FastCheck.constantFrom(...types)).chain(([name, type]) => {
      const numbers = FastCheck.double()
      const series = type === "histogram" ? distribution(numbers, manyBounds) : sample(numbers)
      return reading(
        name,
        type,
        FastCheck.array(series, { maxLength: 4 }),
        FastCheck.constantFrom(undefined, "max" as const)
      )
    }),
    { maxLength: 8 }
  )
).map(([at, readings]) => Snapshot.make(at, readings))

const peaceful: ReadonlyArray<readonly [string, Type, Aggregation?]> = [
  ["a", "gauge"],
  ["a_total", "counter"],
  ["b_seconds", "histogram"],
  ["c:d", "gauge"],
  ["f", "histogram"],
  ["m", "gauge", "max"],
  ["x_sum", "counter"]
]

/** Whole numbers, whose sums are exact, and nothing that could clash with another of these. */
export const peaceable = FastCheck.tuple(
  stamp,
  FastCheck.uniqueArray(
    FastCheck.constantFrom(...peaceful).chain(([name, type, aggregation]) => {
      const numbers = FastCheck.nat(1_000_000)
      const series = type === "histogram" ? distribution(numbers, [[0.1, 1]]) : sample(numbers)
      const distinct = FastCheck.uniqueArray(series, { maxLength: 4, selector: ({ labels }) => labels.text })
      return reading(name, type, distinct, FastCheck.constant(aggregation))
    }),
    { selector: ({ name }) => name }
  )
).map(([at, readings]) => Snapshot.make(at, readings))

/** The merge conflicts that a snapshot counts. */
export const conflicts = ({ metrics }: Snapshot.Snapshot) => {
  const [item] = metrics.get("metrics_merge_conflicts_total")?.series ?? []
  return item !== undefined && "value" in item ? item.value : 0
}

/** A counter with one series. */
export const counter = (name: string, value: number, labels: Record<string, string> = {}): Snapshot.Reading => ({
  name,
  type: "counter",
  help: "",
  series: [{ labels: Labels.of(labels), value }]
})

/** A gauge with one series. */
export const gauge = (name: string, value: number): Snapshot.Reading => ({ ...counter(name, value), type: "gauge" })

/** A histogram with one series. */
export const histogram = (name: string, bounds: ReadonlyArray<number>): Snapshot.Reading => ({
  name,
  type: "histogram",
  help: "",
  series: [{ labels: Labels.of({}), bounds, counts: bounds.map(() => 1), sum: 2, count: 2 }]
})

/** A snapshot of these readings. */
export const at = (timestamp: number, ...readings: ReadonlyArray<Snapshot.Reading>) =>
  Snapshot.make(timestamp, readings)

/** One metric of each type, with everything that needs escaping. */
export const example = Snapshot.make(1, [
  { name: "requests_total", type: "counter", help: "", series: [{ labels: Labels.of({ path: 'a"\\\n' }), value: 3 }] },
  { name: "heat", type: "gauge", help: "Of the\nroom \\", series: [{ labels: Labels.of({}), value: -0.5 }] },
  {
    name: "wait_seconds",
    type: "histogram",
    help: "Waiting",
    series: [{ labels: Labels.of({ b: "c" }), bounds: [0.5, 1, 1e6], counts: [1, 2, 2], sum: 12.5, count: 3 }]
  }
])

/** Values by labels; the count of a histogram. */
export const values = (series: ReadonlyArray<Series>) =>
  Object.fromEntries(series.map((item) => [item.labels.text, isDistribution(item) ? item.count : item.value]))

import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as Exemplar from "../../../src/observability/internal/snapshot/Exemplar.ts"
import * as Histogram from "../../../src/observability/Histogram.ts"
import * as Json from "../../../src/observability/Json.ts"
import * as OpenMetrics from "../../../src/observability/OpenMetrics.ts"
import * as Otlp from "../../../src/observability/Otlp.ts"
import * as Prometheus from "../../../src/observability/Prometheus.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import * as SnapshotDecoder from "../../../src/observability/internal/snapshot/SnapshotDecoder.ts"
import * as SnapshotEncoder from "../../../src/observability/internal/snapshot/SnapshotEncoder.ts"
import * as SnapshotReduction from "../../../src/observability/internal/snapshot/SnapshotReduction.ts"
import * as OpenMetricsText from "./OpenMetricsText.ts"

const trace = (digit: string) => digit.repeat(32)

const snapshotOf = (histogram: Histogram.Histogram) =>
  Snapshot.make(1, [{ name: histogram.name, type: "histogram", help: "", series: histogram.read() }])

const histogram = () => Either.getOrThrow(Histogram.make("wait_seconds", { buckets: [0.5, 1] }))

const exemplars = FastCheck.uniqueArray(
  FastCheck.record({
    bucket: FastCheck.nat(2),
    trace: FastCheck.constantFrom(trace("a"), trace("b"), trace("0")),
    value: FastCheck.double({ min: 0, max: 2, noNaN: true }),
    timestamp: FastCheck.nat(3)
  }),
  { selector: ({ bucket }) => bucket, maxLength: 3 }
).map((list): ReadonlyArray<Exemplar.Exemplar> => list.sort((a, b) => a.bucket - b.bucket))

describe("exemplars", () => {
  it("are the latest traced observation of each bucket, and nothing without traces", () => {
    const one = histogram()
    one.observe(0.1)
    expect(one.read()[0]).not.toHaveProperty("exemplars")
    one.observe(0.2, trace("a"))
    one.observe(0.3, trace("b"))
    one.observe(0.4)
    one.observe(7, trace("c"))
    expect(one.read()[0]?.exemplars).toMatchObject([
      { bucket: 0, trace: trace("b"), value: 0.3 },
      { bucket: 2, trace: trace("c"), value: 7 }
    ])
  })

  it.each(["", "x", trace("A"), `${trace("a")}"} 1 1\nevil 1`, trace("g")])("refuse the id %j", (id) => {
    const one = histogram()
    one.observe(0.1, id)
    expect(one.read()[0]).toMatchObject({ count: 1 })
    expect(one.read()[0]).not.toHaveProperty("exemplars")
  })

  it("are printed by OpenMetrics and by no other format", () => {
    const one = histogram()
    one.observe(0.3, trace("b"))
    one.observe(7, trace("c"))
    const snapshot = snapshotOf(one)
    const text = OpenMetrics.exporter.export(snapshot)
    expect(text).toMatch(/^wait_seconds_bucket\{le="0.5"\} 1 # \{trace_id="b{32}"\} 0\.3 \d+(\.\d+)?$/m)
    expect(text).toMatch(/^wait_seconds_bucket\{le="1.0"\} 1$/m)
    expect(text).toMatch(/^wait_seconds_bucket\{le="\+Inf"\} 2 # \{trace_id="c{32}"\} 7 \d+(\.\d+)?$/m)
    expect(OpenMetricsText.parse(text).get("wait_seconds")?.samples.size).toBe(5)
    for (const { export: encode } of [Json.exporter, Prometheus.exporter, Otlp.exporter({ start: 0 })]) {
      expect(encode(snapshot)).not.toMatch(/bbb|trace/)
    }
  })

  it("are in the file of a worker, and not in that of a dead one", () => {
    const one = histogram()
    one.observe(0.3, trace("b"))
    const snapshot = snapshotOf(one)
    const text = SnapshotEncoder.encode(snapshot, {}, { exemplars: true })
    expect(Either.getOrThrow(SnapshotDecoder.decode(JSON.parse(text)))).toEqual(snapshot)
    expect(SnapshotReduction.retired(snapshot).metrics.get("wait_seconds")?.series[0]).not.toHaveProperty("exemplars")
  })

  const flaws: ReadonlyArray<unknown> = [
    {},
    [1],
    [[0, "no trace", 1, 1]],
    [[3, trace("a"), 1, 1]],
    [[-1, trace("a"), 1, 1]],
    [[0, trace("a"), "1", 1]],
    [[0, trace("a"), 1, null]],
    [
      [1, trace("a"), 1, 1],
      [0, trace("a"), 1, 1]
    ],
    Array.from({ length: 4 }, (_, bucket) => [bucket, trace("a"), 1, 1])
  ]
  it.each(flaws.map((given) => [JSON.stringify(given), given]))("make a file invalid: %s", (_, given) => {
    const series = [{ labels: {}, buckets: { "0.5": 0, "1": 0, "+Inf": 0 }, sum: 0, count: 0, exemplars: given }]
    const document = { timestamp: 1, metrics: { a: { type: "histogram", help: "", series } } }
    expect(Either.isLeft(SnapshotDecoder.decode(document))).toBe(true)
  })

  it.prop(
    "of several workers are the latest ones, in any order and grouping",
    [exemplars, exemplars, exemplars],
    ([a, b, c]) => {
      const { merge } = Exemplar
      expect(merge(a, b)).toEqual(merge(b, a))
      expect(merge(merge(a, b), c)).toEqual(merge(a, merge(b, c)))
      expect(merge(a, a)).toEqual(a)
      for (const { bucket, timestamp } of merge(a, b) ?? []) {
        const times = [...a, ...b].filter((item) => item.bucket === bucket).map((item) => item.timestamp)
        expect(timestamp).toBe(Math.max(...times))
      }
    }
  )
})

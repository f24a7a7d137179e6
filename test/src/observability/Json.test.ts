import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import { InvalidSnapshot, fromJson } from "../../../src/observability/SnapshotDecoder.ts"
import * as Json from "../../../src/observability/Json.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import { arbitrary } from "./Snapshots.ts"

const example = Snapshot.make(1700000000.25, [
  { name: "g", type: "gauge", help: 'says "x"', series: [{ labels: Labels.none, value: -1.5 }] },
  { name: "c_total", type: "counter", help: "", series: [{ labels: Labels.of({ b: "2", a: "1" }), value: 3 }] },
  {
    name: "h",
    type: "histogram",
    help: "",
    series: [{ labels: Labels.none, bounds: [0.5, 1, 10], counts: [1, 2, 2], sum: 12.5, count: 3 }]
  }
])

describe("the JSON document", () => {
  it("is one line of timestamp and metrics, with the shapes of the contract", () => {
    expect(Json.exporter.export(example)).toBe(
      '{"timestamp":1700000000.25,"metrics":{' +
        '"c_total":{"type":"counter","help":"","series":[{"labels":{"a":"1","b":"2"},"value":3}]},' +
        '"g":{"type":"gauge","help":"says \\"x\\"","series":[{"labels":{},"value":-1.5}]},' +
        '"h":{"type":"histogram","help":"","series":[{"labels":{},' +
        '"buckets":{"0.5":1,"1":2,"10":2,"+Inf":3},"sum":12.5,"count":3}]}}}\n'
    )
  })

  it("writes what JSON has no number for as text", () => {
    const text = Json.encode(
      Snapshot.make(1, [
        {
          name: "a",
          type: "gauge",
          help: "",
          series: [Number.NaN, Infinity, -Infinity].map((value, index) => ({
            labels: Labels.of({ i: `${index}` }),
            value
          }))
        }
      ])
    )
    expect(JSON.parse(text).metrics.a.series.map(({ value }: { value: unknown }) => value)).toEqual([
      "NaN",
      "+Inf",
      "-Inf"
    ])
  })

  it("keeps the sign of a zero", () => {
    const series = [-0, 0].map((value, index) => ({ labels: Labels.of({ i: `${index}` }), value }))
    const text = Json.encode(Snapshot.make(1, [{ name: "a", type: "gauge", help: "", series }]))
    expect(JSON.parse(text).metrics.a.series.map(({ value }: { value: number }) => Object.is(value, -0))).toEqual([
      true,
      false
    ])
  })

  it("puts further members before the metrics", () => {
    expect(JSON.parse(Json.encode(example, { origin: { id: "x" } })).origin).toEqual({ id: "x" })
  })

  it.prop("comes back as it was, to the last bit", [arbitrary], ([snapshot]) => {
    expect(Either.getOrThrow(Json.decode(Json.encode(snapshot)))).toEqual(snapshot)
  })

  it.prop("comes back the same beside any snapshot that is alike", [arbitrary, arbitrary], ([snapshot, alike]) => {
    expect(Either.getOrThrow(Json.decode(Json.encode(snapshot), alike))).toEqual(snapshot)
    expect(Either.getOrThrow(Json.decode(Json.encode(snapshot), snapshot))).toEqual(snapshot)
  })

  it.prop("is refused when it was torn", [arbitrary, FastCheck.nat()], ([snapshot, cut]) => {
    const text = Json.encode(snapshot)
    expect(Json.decode(text.slice(0, cut % (text.length - 1)))).toSatisfy(Either.isLeft)
  })

  it.prop("is never more than refused, whatever it is", [FastCheck.jsonValue()], ([document]) => {
    const restored = fromJson(document)
    if (Either.isLeft(restored)) expect(restored.left).toBeInstanceOf(InvalidSnapshot)
    else expect(restored.right.metrics).toBeInstanceOf(Map)
  })

  const flaws: ReadonlyArray<readonly [string, unknown]> = [
    ["has no timestamp", { metrics: {} }],
    ["has no metrics", { timestamp: 1 }],
    ["is a list", []],
    ["has a metric with an impossible name", { "a-b": { type: "gauge", help: "", series: [] } }],
    ["has a metric of an unknown type", { a: { type: "summary", help: "", series: [] } }],
    ["has a metric without help", { a: { type: "gauge", series: [] } }],
    ["has series that are no list", { a: { type: "gauge", help: "", series: {} } }],
    ["has a value that is no number", { a: { type: "gauge", help: "", series: [{ labels: {}, value: "1" }] } }],
    ["has no labels", { a: { type: "gauge", help: "", series: [{ value: 1 }] } }],
    ["has a label that is no text", { a: { type: "gauge", help: "", series: [{ labels: { b: 1 }, value: 1 }] } }],
    ["has a reserved label", { a: { type: "gauge", help: "", series: [{ labels: { __b: "1" }, value: 1 }] } }],
    [
      "has le on a histogram",
      {
        a: { type: "histogram", help: "", series: [{ labels: { le: "1" }, buckets: { "+Inf": 0 }, sum: 0, count: 0 }] }
      }
    ],
    [
      "has one series twice",
      {
        a: {
          type: "gauge",
          help: "",
          series: [
            { labels: {}, value: 1 },
            { labels: {}, value: 1 }
          ]
        }
      }
    ],
    [
      "has buckets that fall",
      {
        a: {
          type: "histogram",
          help: "",
          series: [{ labels: {}, buckets: { "1": 2, "2": 1, "+Inf": 3 }, sum: 0, count: 3 }]
        }
      }
    ],
    [
      "has no last bucket",
      { a: { type: "histogram", help: "", series: [{ labels: {}, buckets: { "1": 2 }, sum: 0, count: 2 }] } }
    ],
    [
      "has another count than its buckets",
      { a: { type: "histogram", help: "", series: [{ labels: {}, buckets: { "+Inf": 3 }, sum: 0, count: 4 }] } }
    ],
    [
      "has half an observation",
      { a: { type: "histogram", help: "", series: [{ labels: {}, buckets: { "+Inf": 0.5 }, sum: 0, count: 0.5 }] } }
    ],
    [
      "has a bound that is no number",
      { a: { type: "histogram", help: "", series: [{ labels: {}, buckets: { x: 0, "+Inf": 3 }, sum: 0, count: 3 }] } }
    ],
    [
      "has a sum that is no number",
      { a: { type: "histogram", help: "", series: [{ labels: {}, buckets: { "+Inf": 3 }, sum: null, count: 3 }] } }
    ],
    ["has conflicts that are no counter", { metrics_merge_conflicts_total: { type: "gauge", help: "", series: [] } }],
    [
      "has a name that its histogram prints",
      { a: { type: "histogram", help: "", series: [] }, a_sum: { type: "gauge", help: "", series: [] } }
    ]
  ]
  it.each(flaws)("is refused when it %s", (_, given) => {
    const bare =
      Array.isArray(given) || Object.hasOwn(Object(given), "metrics") || Object.hasOwn(Object(given), "timestamp")
    const document = bare ? given : { timestamp: 1, metrics: given }
    expect(fromJson(document)).toSatisfy(Either.isLeft)
  })

  it("is not fooled by a name that every object has", () => {
    const text =
      '{"timestamp":1,"metrics":{"__proto__":{"type":"gauge","help":"","series":[]},"constructor":{"type":"gauge","help":"","series":[{"labels":{"toString":"x"},"value":1}]}}}'
    const { metrics } = Either.getOrThrow(Json.decode(text))
    expect([...metrics.keys()]).toEqual(["__proto__", "constructor"])
    expect(metrics.get("constructor")?.series[0]?.labels.text).toBe('toString="x"')
  })
})

import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as Json from "../../../src/observability/Json.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import { arbitrary } from "./Snapshots.ts"

const example = Snapshot.make(1700000000.25, [
  { name: "g", type: "gauge", help: 'says "x"', series: [{ labels: Labels.of({}), value: -1.5 }] },
  { name: "c_total", type: "counter", help: "", series: [{ labels: Labels.of({ b: "2", a: "1" }), value: 3 }] },
  {
    name: "h",
    type: "histogram",
    help: "",
    series: [{ labels: Labels.of({}), bounds: [0.5, 1, 10], counts: [1, 2, 2], sum: 12.5, count: 3 }]
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

  it("writes NaN and infinities as strings", () => {
    const text = Json.exporter.export(
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
    const text = Json.exporter.export(Snapshot.make(1, [{ name: "a", type: "gauge", help: "", series }]))
    expect(JSON.parse(text).metrics.a.series.map(({ value }: { value: number }) => Object.is(value, -0))).toEqual([
      true,
      false
    ])
  })

  it.prop("decodes to exactly the same snapshot", [arbitrary], ([snapshot]) => {
    expect(Either.getOrThrow(Json.decode(Json.exporter.export(snapshot)))).toEqual(snapshot)
  })

  it.prop("is refused when it is truncated", [arbitrary, FastCheck.nat()], ([snapshot, cut]) => {
    const text = Json.exporter.export(snapshot)
    expect(Json.decode(text.slice(0, cut % (text.length - 1)))).toSatisfy(Either.isLeft)
  })

  it("decodes names that every object has", () => {
    const text =
      '{"timestamp":1,"metrics":{"__proto__":{"type":"gauge","help":"","series":[]},"constructor":{"type":"gauge","help":"","series":[{"labels":{"toString":"x"},"value":1}]}}}'
    const { metrics } = Either.getOrThrow(Json.decode(text))
    expect([...metrics.keys()]).toEqual(["__proto__", "constructor"])
    expect(metrics.get("constructor")?.series[0]?.labels.text).toBe('toString="x"')
  })
})

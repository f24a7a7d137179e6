import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as Json from "../../../src/observability/Json.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import * as SnapshotDecoder from "../../../src/observability/internal/snapshot/SnapshotDecoder.ts"
import { arbitrary } from "./Snapshots.ts"

describe("a document", () => {
  it.prop("is decoded to the same snapshot with any similar one", [arbitrary, arbitrary], ([snapshot, similar]) => {
    const document: unknown = JSON.parse(Json.exporter.export(snapshot))
    expect(Either.getOrThrow(SnapshotDecoder.decode(document, similar))).toEqual(snapshot)
    expect(Either.getOrThrow(SnapshotDecoder.decode(document, snapshot))).toEqual(snapshot)
  })

  it.prop("is decoded or refused, whatever it contains", [FastCheck.jsonValue()], ([document]) => {
    const restored = SnapshotDecoder.decode(document)
    if (Either.isLeft(restored)) expect(restored.left).toBeInstanceOf(Snapshot.InvalidSnapshot)
    else expect(restored.right.metrics).toBeInstanceOf(Map)
  })

  const flaws: ReadonlyArray<readonly [string, unknown]> = [
    ["has no timestamp", { metrics: {} }],
    ["has no metrics", { timestamp: 1 }],
    ["is a list", []],
    ["has a metric with an impossible name", { "a-b": { type: "gauge", help: "", series: [] } }],
    ["has a metric of an unknown type", { a: { type: "summary", help: "", series: [] } }],
    ["has a metric without help", { a: { type: "gauge", series: [] } }],
    ["has an unknown aggregation", { a: { type: "gauge", help: "", aggregation: "min", series: [] } }],
    ["has an aggregation on a counter", { a: { type: "counter", help: "", aggregation: "max", series: [] } }],
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
    expect(SnapshotDecoder.decode(document)).toSatisfy(Either.isLeft)
  })
})

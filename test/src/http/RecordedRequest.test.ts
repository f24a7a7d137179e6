import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as RecordedRequest from "../../../src/http/internal/RecordedRequest.ts"

const span = (id: string, given: Partial<RecordedRequest.RecordedSpan> = {}): RecordedRequest.RecordedSpan => ({
  id,
  parent: undefined,
  name: id,
  start: 0,
  duration: 1,
  outcome: "ended",
  attributes: [],
  statement: undefined,
  ...given
})

describe("RecordedRequest.statements", () => {
  it("puts equal statements together, the slowest first", () => {
    const spans = [
      span("a", { statement: "SELECT 1", duration: 2 }),
      span("b", { statement: "SELECT 2", duration: 5 }),
      span("c", { statement: "SELECT 1", duration: 1 }),
      span("d")
    ]
    const groups = RecordedRequest.statements({ spans })
    expect(groups).toEqual([
      { statement: "SELECT 2", count: 1, duration: 5, isRepeated: false },
      { statement: "SELECT 1", count: 2, duration: 3, isRepeated: false }
    ])
    expect(RecordedRequest.statementTotals(groups)).toEqual({ count: 3, duration: 8 })
  })

  it("suspects a loop over rows from the fifth run on", () => {
    const runs = (count: number) =>
      RecordedRequest.statements({
        spans: Array.from({ length: count }, (_, at) => span(String(at), { statement: "SELECT ?" }))
      })
    expect(runs(RecordedRequest.repeatedFrom - 1).map(({ isRepeated }) => isRepeated)).toEqual([false])
    expect(runs(RecordedRequest.repeatedFrom).map(({ isRepeated }) => isRepeated)).toEqual([true])
  })
})

describe("RecordedRequest.timeline", () => {
  it("is a tree: each span below its parent, in the order in which they began", () => {
    const spans = [
      span("request"),
      span("first", { parent: "request" }),
      span("second", { parent: "request" }),
      span("inner", { parent: "first" }),
      span("orphan", { parent: "left out" })
    ]
    expect(RecordedRequest.timeline(spans).map(({ depth, span: { id } }) => [id, depth])).toEqual([
      ["request", 0],
      ["first", 1],
      ["inner", 2],
      ["second", 1],
      ["orphan", 0]
    ])
  })

  // Each span names an earlier one, or none, as its parent.
  const trees = FastCheck.array(FastCheck.option(FastCheck.nat(60), { nil: undefined }), { maxLength: 60 }).map(
    (parents) =>
      parents.map((parent, at) =>
        span(String(at), { parent: parent === undefined || at === 0 ? undefined : String(parent % at) })
      )
  )

  it.prop("has every span once, one deeper than its parent", [trees], ([spans]) => {
    const rows = RecordedRequest.timeline(spans)
    const depths = new Map(rows.map(({ depth, span: { id } }) => [id, depth]))
    expect(depths.size).toBe(spans.length)
    expect(rows).toHaveLength(spans.length)
    for (const {
      depth,
      span: { parent }
    } of rows) {
      expect(depth).toBe(parent === undefined ? 0 : (depths.get(parent) ?? -1) + 1)
    }
  })
})

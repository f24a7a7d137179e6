import { describe, expect, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as Chart from "../../bench/Chart.ts"
import * as Report from "../../bench/Report.ts"
import * as Results from "../../bench/Results.ts"
import { passes, type Row } from "../../bench/Row.ts"

const kept = Results.read()
if (kept === undefined) throw new Error("bench/results.json is missing")

const row: Row = { subject: "tea & cake", ours: 3, peer: 2, unit: "cups", ratio: 1.5, bar: 1, better: "higher" }
const machine = { node: "v20.19.0", cores: 2, model: "a machine", load: "wrk" }

describe("the figures", () => {
  it("on the page, in the chart and in the README are those of bench/results.json", () => {
    expect(readFileSync(Report.pagePath, "utf8")).toBe(Report.page(kept))
    expect(readFileSync(Report.chartPath, "utf8")).toBe(Report.chart(kept))
    const readme = readFileSync(Report.readmePath, "utf8")
    expect(readme).toContain(Report.figures(kept))
    expect(Report.readme(readme, kept)).toBe(readme)
  })

  it("have a verdict that follows from the ratio and the bar", () => {
    expect(passes(row)).toBe(true)
    expect(passes({ ...row, better: "lower" })).toBe(false)
    expect(Report.page({ machine, results: { tokens: [{ ...row, better: "lower" }] } })).toContain("| MISSED  |")
  })

  it("of a run of some subjects leave the others as they were", () => {
    const older = { machine, results: { tokens: [row], codec: [row] } }
    const newer = { machine: { ...machine, cores: 4 }, results: { codec: [{ ...row, ours: 4 }] } }
    expect(Results.merge(older, newer)).toEqual({
      machine: { ...machine, cores: 4 },
      results: { tokens: [row], codec: [{ ...row, ours: 4 }] }
    })
  })

  it("are drawn as how many times better they are than they had to be", () => {
    expect(Chart.margin(row)).toBe(1.5)
    expect(Chart.margin({ ...row, bar: 3, better: "lower" })).toBe(2)
    const drawn = Chart.svg([
      row,
      { ...row, bar: 2, subject: "too little" },
      { ...row, bar: undefined, subject: "no bar" }
    ])
    expect(drawn).toContain("tea &amp; cake")
    expect(drawn.match(/<rect class="met"/g)).toHaveLength(1)
    expect(drawn.match(/<rect class="missed"/g)).toHaveLength(1)
    expect(drawn).not.toContain("no bar")
  })
})

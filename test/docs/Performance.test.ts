import { describe, expect, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as Chart from "../../bench/Chart.ts"
import * as Figures from "../../bench/Figures.ts"
import * as Percentiles from "../../bench/Percentiles.ts"
import * as Report from "../../bench/Report.ts"
import * as Results from "../../bench/Results.ts"
import * as Rounds from "../../bench/Rounds.ts"
import { passes, type Row } from "../../bench/Row.ts"

const kept = Results.read()

const row: Row = { subject: "tea & cake", ours: 3, peer: 2, unit: "cups", ratio: 1.5, bar: 1, better: "higher" }
const machine = { node: "v20.19.0", cores: 2, model: "A(R) Machine Processor @ 2GHz", load: "wrk" }
const other = { ...machine, model: "Another" }
const stamp = {
  commit: "0123456789abcdef",
  date: "2026-11-18",
  version: "0.1.0",
  node: "v20.19.0",
  load: "wrk",
  outdated: false
}

describe("the figures", () => {
  it("on the page, in the chart and in the README are those of bench/results.json", () => {
    expect(kept.length).toBeGreaterThan(0)
    expect(readFileSync(Report.pagePath, "utf8")).toBe(Report.page(kept))
    expect(readFileSync(Report.chartPath, "utf8")).toBe(Report.chart(kept))
    const readme = readFileSync(Report.readmePath, "utf8")
    expect(readme).toContain(Report.figures(kept))
    expect(Report.readme(readme, kept)).toBe(readme)
  })

  it("have a verdict that follows from the ratio and the bar", () => {
    expect(passes(row)).toBe(true)
    expect(passes({ ...row, better: "lower" })).toBe(false)
    const page = Report.page([
      { machine, results: { tokens: [{ ...row, better: "lower" }] }, taken: { tokens: stamp } }
    ])
    expect(page).toMatch(/\| 1\.50 MISSED +\|/)
    expect(page).toContain("A Machine 2GHz: 01234567, 2026-11-18, Node.js 20.19.0, wrk.")
    expect(page).toContain("0 of 1 current bars are met")
  })

  it("are outdated after 100 commits, for another minor version, and without a stamp: then they never count as met", () => {
    const taken = {
      server: stamp,
      codec: { ...stamp, commit: "long ago" },
      tokens: { ...stamp, version: "0.2.1" },
      debug: { ...stamp, commit: "unknown" }
    }
    const commits: Readonly<Record<string, number>> = { [stamp.commit]: 100, "long ago": 101 }
    const [aged] = Results.aged([{ machine, results: {}, taken }], "0.1.9", (commit) => commits[commit])
    expect(Object.entries(aged?.taken ?? {}).filter(([, one]) => !one.outdated)).toEqual([["server", stamp]])
    const old = [{ machine, results: { codec: [row] }, taken: aged?.taken ?? {} }]
    expect(Figures.table(Figures.of(old, "codec"), [machine])).toContain("*1.50* (old)")
    expect(Report.page(old)).toContain("0 of 0 current bars are met")
    expect(Chart.svg(Figures.of(old, "codec"), [machine])).toContain('<rect class="old"')
    expect(Figures.of([{ machine, results: { codec: [row] } }], "codec")[0]?.rows[0]?.outdated).toBe(true)
  })

  it("of several starts are compared round by round, each with those of its own start", async () => {
    const figures = (values: ReadonlyArray<number>) => {
      let next = 0
      return () => Promise.resolve(values[next++] ?? 0)
    }
    const slow = () => Rounds.take({ ours: figures([1, 2]), peer: figures([2, 4]) }, 2)
    const fast = () => Rounds.take({ ours: figures([30, 50, 70]), peer: figures([100, 100, 100]) }, 3)
    const starts = [slow, fast]
    const all = await Rounds.ofStarts(2, () => (starts.shift() ?? slow)())
    expect(all.taken).toEqual({ ours: [1, 2, 30, 50, 70], peer: [2, 4, 100, 100, 100] })
    expect([all.of("ours"), all.of("peer"), all.ratio("ours", "peer")]).toEqual([30, 100, 0.5])
  })

  it("of a run of some subjects leave the others as they were", () => {
    const older = [{ machine, results: { tokens: [row], codec: [row] } }]
    const newer = { machine: { ...machine, cores: 4 }, results: { codec: [{ ...row, ours: 4 }] } }
    expect(Results.merge(older, newer)).toEqual([
      { machine: { ...machine, cores: 4 }, results: { tokens: [row], codec: [{ ...row, ours: 4 }] } }
    ])
  })

  it("of a run leave those of another processor as they were, but for a bar that was moved", () => {
    const older = [{ machine, results: { codec: [row], tokens: [row] } }]
    const newer = { machine: other, results: { codec: [{ ...row, ours: 9, bar: 2 }] } }
    const merged = Results.merge(older, newer)
    expect(merged).toEqual([{ machine, results: { codec: [{ ...row, bar: 2 }], tokens: [row] } }, newer])
    expect(Results.merge(merged, newer)).toEqual(merged)
  })

  it("of all processors stand in one line, with a dash where one has not measured", () => {
    const slower = { ...row, ratio: 0.5 }
    const taken = { codec: stamp }
    const results = [
      { machine, results: { codec: [row] }, taken },
      { machine: other, results: { codec: [slower, { ...row, subject: "more" }] }, taken }
    ]
    expect(Figures.table(Figures.of(results, "codec"), [machine, other]).split("\n")).toEqual([
      "| what       | bar | A Machine 2GHz | Another      |",
      "| ---------- | --- | -------------- | ------------ |",
      "| tea & cake | ≥ 1 | 1.50 met       | 0.500 MISSED |",
      "| more       | ≥ 1 | –              | 1.50 met     |"
    ])
  })

  it("of a processor that has none which counts are left out beside those of one that has", () => {
    const results = [
      { machine, results: { codec: [row] }, taken: { codec: { ...stamp, outdated: true } } },
      { machine: other, results: { codec: [row] }, taken: { codec: stamp } }
    ]
    expect(Report.page(results)).not.toContain("A Machine")
    expect(Report.chart(results)).not.toContain("A Machine")
    expect(Report.page(results.slice(0, 1))).toContain("A Machine")
  })

  it("of a processor that has none of the README's are on the page alone", () => {
    const inReadme = { ...row, subject: "routed JSON / bare node:http" }
    const results = [
      { machine, results: { server: [inReadme] }, taken: { server: stamp } },
      { machine: other, results: { codec: [row] }, taken: { codec: stamp } }
    ]
    expect(Report.page(results)).toContain("Another")
    expect(Report.figures(results)).toContain("A Machine")
    expect(Report.figures(results)).not.toContain("Another")
    expect(Report.figures(results.slice(1))).not.toContain("A Machine")
  })

  it("of the README are eight at most, and none that a cache helps", () => {
    expect(Report.figures(kept).split("\n").length).toBeLessThanOrEqual(2 + 8)
    expect(Report.figures(kept)).not.toContain("remembered")
  })

  it("of many requests are the times that a part of them did not exceed", () => {
    const times = Array.from({ length: 1000 }, (_, index) => index + 1)
    expect([0.5, 0.99, 0.999, 1].map((part) => Percentiles.at(times, part))).toEqual([500, 990, 999, 1000])
    const lines = { ours: [0.4, 0.5, 0.6, 0.8, 1.2, 2, 4, 6, 9], "a & b": [1, 1, 1, 2, 3, 5, 9, 12, 20] }
    const drawn = Percentiles.svg("at a fixed rate", lines)
    expect(drawn.match(/<polyline /g)).toHaveLength(2)
    expect(drawn).toContain("a &amp; b")
    expect(drawn).not.toContain("NaN")
  })

  it("are drawn as how many times better they are than they had to be, for each processor", () => {
    expect(Chart.margin(row)).toBe(1.5)
    expect(Chart.margin({ ...row, bar: 3, better: "lower" })).toBe(2)
    const rows = [row, { ...row, bar: 2, subject: "too little" }, { ...row, bar: undefined, subject: "no bar" }]
    const results = [
      { machine, results: { codec: rows }, taken: { codec: stamp } },
      { machine: other, results: { codec: [row] }, taken: { codec: stamp } }
    ]
    const drawn = Chart.svg(Figures.of(results, "codec"), [machine, other])
    expect(drawn).toContain("tea &amp; cake")
    expect(drawn.match(/<rect class="met"/g)).toHaveLength(2)
    expect(drawn.match(/<rect class="missed"/g)).toHaveLength(1)
    expect(drawn).toContain("Another")
    expect(drawn).not.toContain("no bar")
  })
})

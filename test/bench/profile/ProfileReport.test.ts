import { describe, expect, it } from "@effect/vitest"
import { layers } from "../../../bench/profile/Layers.ts"
import * as ProfileReport from "../../../bench/profile/ProfileReport.ts"

const machine = { node: "v20.19.0", cores: 2, model: "A Machine", load: "wrk" }
const share = 1 / layers.length
const summary = {
  layers: {
    kernel: share,
    native: share,
    garbage: share,
    node: share,
    effect: share,
    framework: share,
    drivers: share,
    program: share
  },
  functions: [
    { name: "(program)", share: 0.5 },
    { name: "writev", share: 0.2 }
  ]
}

describe("where the time goes", () => {
  it("is not on the page before the first profile", () => {
    expect(ProfileReport.section([{ machine, results: {} }])).toBe("")
  })

  it("is a table by layer for each processor, and the functions that ran longest where it is printed", () => {
    const results = [{ machine, results: {}, profiles: { json: summary } }]
    for (const text of [ProfileReport.section(results), ProfileReport.tables(results)]) {
      expect(text).toContain("### A Machine")
      expect(text).toMatch(/\| routed JSON \|(?: 13 % *\|){8}/)
      expect(text).not.toContain("(program)")
    }
    expect(ProfileReport.tables(results)).toContain("`writev` 20 %")
  })
})

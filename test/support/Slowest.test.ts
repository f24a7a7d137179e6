import { describe, expect, it } from "@effect/vitest"
import config from "../../vitest.config.ts"
import { projects, slowest } from "./Slowest.ts"

describe("npm run slowest", () => {
  it("knows the projects of the tests", () => {
    expect(config).toMatchObject({ test: { projects: projects.map((name) => ({ test: { name } })) } })
  })

  it("prints the ten slowest files that still exist, the slowest first", () => {
    const results = Array.from(
      { length: 12 },
      (_, index) =>
        [`${index % 2 === 0 ? "programs" : "shared"}:test/${index}.test.ts`, { duration: index * 1500 }] as const
    )
    const gone = ["former:test/9.test.ts", { duration: 99_000 }] as const
    const lines = slowest({ results: [gone, ...results] }, (path) => path !== "test/11.test.ts")
    expect(lines).toHaveLength(10)
    expect(lines[0]).toBe("   15.0 s  test/10.test.ts")
    expect(lines[9]).toBe("    1.5 s  test/1.test.ts")
  })
})

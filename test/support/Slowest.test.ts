import { describe, expect, it } from "@effect/vitest"
import { slowest } from "./Slowest.ts"

describe("npm run slowest", () => {
  it("prints the ten slowest files that still exist, the slowest first", () => {
    const results = Array.from(
      { length: 12 },
      (_, index) => [`${index % 2 === 0 ? "" : "shared"}:test/${index}.test.ts`, { duration: index * 1500 }] as const
    )
    const lines = slowest({ results }, (path) => path !== "test/11.test.ts")
    expect(lines).toHaveLength(10)
    expect(lines[0]).toBe("   15.0 s  test/10.test.ts")
    expect(lines[9]).toBe("    1.5 s  test/1.test.ts")
  })
})

import { describe, expect, it } from "@effect/vitest"
import { Duration, FastCheck } from "effect"
import * as Words from "../../../src/http/internal/text/Words.ts"

describe("Words.lifetime", () => {
  it.each([
    ["1 second", "1 second"],
    ["90 seconds", "1 minute"],
    ["45 minutes", "45 minutes"],
    ["60 minutes", "1 hour"],
    ["90 minutes", "90 minutes"],
    ["24 hours", "24 hours"],
    ["48 hours", "2 days"],
    ["30 days", "30 days"]
  ] as const)("writes %s as %s", (ttl, text) => {
    expect(Words.lifetime(ttl)).toBe(text)
  })

  it("never promises more than the lifetime, nor less than half of it", () => {
    const units = { second: 1, minute: 60, hour: 3600, day: 86400 } as const
    FastCheck.assert(
      FastCheck.property(FastCheck.integer({ min: 1, max: 10_000_000 }), (seconds) => {
        const [count, unit] = Words.lifetime(Duration.seconds(seconds)).split(" ")
        const name = unit?.replace(/s$/, "")
        const said =
          name === "second" || name === "minute" || name === "hour" || name === "day" ? units[name] : Number.NaN
        expect(Number(count) * said).toBeLessThanOrEqual(seconds)
        expect(Number(count) * said).toBeGreaterThan(seconds / 2)
      })
    )
  })
})

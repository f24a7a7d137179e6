import { describe, expect, it } from "@effect/vitest"
import * as LastSeen from "../../../routes/auth/internal/LastSeen.ts"

describe("LastSeen", () => {
  it.each([
    [0, "just now"],
    [59, "just now"],
    [60, "1 minute ago"],
    [3599, "59 minutes ago"],
    [3600, "1 hour ago"],
    [86_399, "23 hours ago"],
    [86_400, "1 day ago"],
    [30 * 86_400, "30 days ago"],
    [-5, "just now"]
  ])("says of %d seconds %s", (passed, words) => {
    expect(LastSeen.ago(1_000_000_000 - passed, 1_000_000_000)).toBe(words)
  })

  it("escapes what a device says of itself", () => {
    const device = { address: "192.0.2.1", userAgent: "<script>alert(1)</script>" }
    const { markup } = LastSeen.view({ device, created: 0, last: 0, now: 0, own: false }, "signedIn")
    expect(markup).not.toContain("<script")
  })
})

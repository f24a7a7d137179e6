import { describe, expect, it } from "@effect/vitest"
import * as DroppedLines from "../../../src/observability/internal/DroppedLines.ts"

const at = new Date("2026-11-17T08:00:00Z")

describe("DroppedLines", () => {
  it("is text in development", () => {
    expect(DroppedLines.of("development", "requests")(3, at)).toBe("WARN Log lines dropped: 3")
  })

  it("is a JSON object of the log's channel elsewhere", () => {
    expect(JSON.parse(DroppedLines.of("production", "requests")(3, at))).toEqual({
      timestamp: "2026-11-17T08:00:00.000Z",
      level: "WARN",
      channel: "requests",
      message: "Log lines dropped: 3"
    })
  })
})

import { describe, expect, it } from "@effect/vitest"
import { challenge, defaultRealm, isRealm } from "../../../src/http/internal/Challenge.ts"

describe("Challenge", () => {
  it("names the scheme and the realm", () => {
    expect(challenge(defaultRealm)).toBe(`Session realm="Protected area"`)
  })

  it.each([
    ["Members' area", true],
    ["", false],
    ["x".repeat(200), true],
    ["x".repeat(201), false],
    [`a "quoted" realm`, false],
    ["a\\b", false],
    ["a\r\nSet-Cookie: b", false],
    ["Büro", false]
  ])("accepts the realm %j: %s", (text, expected) => {
    expect(isRealm(text)).toBe(expected)
  })
})

import { describe, expect, it } from "@effect/vitest"
import * as StorableText from "../../../src/session/internal/StorableText.ts"

describe("StorableText.isText", () => {
  it.each([
    ["a@example.com", true],
    ["🦊@example.com", true],
    ["a\0@example.com", false],
    ["\ud83e@example.com", false]
  ])("%j: %s", (text, expected) => {
    expect(StorableText.isText(text)).toBe(expected)
  })
})

import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Email from "../../../src/auth/Email.ts"
import { accountId } from "../../../src/auth/Identity.ts"

const random = fc.uint8Array({ minLength: 10, maxLength: 10 })
const millis = fc.integer({ min: 0, max: 2 ** 48 - 1 })

describe("accountId", () => {
  it("is a UUID of version 7 that sorts by time", () => {
    fc.assert(
      fc.property(millis, millis, random, random, (one, other, a, b) => {
        const [first, second] = [accountId(one, a), accountId(other, b)]
        expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        if (one < other) expect(first < second).toBe(true)
      })
    )
  })
})

describe("Email.normalise", () => {
  it.each([
    ["  Someone@Example.COM\n", "someone@example.com"],
    ["\u212Aate@example.com", "\u212Aate@example.com"],
    ["\u0130@example.com", "\u0130@example.com"],
    ["STRASSE@example.com", "strasse@example.com"],
    ["STRAẞE@example.com", "straẞe@example.com"]
  ])("writes %j as %j", (given, expected) => {
    expect(Email.normalise(given)).toBe(expected)
  })

  it("changes nothing but the case of A to Z and the space around", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const trimmed = text.trim()
        const normal = Email.normalise(text)
        expect(normal).toHaveLength(trimmed.length)
        for (let index = 0; index < normal.length; index++) {
          const before = trimmed[index] ?? ""
          expect(normal[index]).toBe(/[A-Z]/.test(before) ? before.toLowerCase() : before)
        }
        expect(Email.normalise(normal)).toBe(normal)
      })
    )
  })
})

describe("Email.isText", () => {
  it.each([
    ["a@example.com", true],
    ["🦊@example.com", true],
    ["a\0@example.com", false],
    ["\ud83e@example.com", false]
  ])("%j: %s", (text, expected) => {
    expect(Email.isText(text)).toBe(expected)
  })
})

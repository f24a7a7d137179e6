import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { uuid7 } from "../../../src/auth/internal/Uuid.ts"

const random = fc.uint8Array({ minLength: 10, maxLength: 10 })
const millis = fc.integer({ min: 0, max: 2 ** 48 - 1 })

describe("uuid7", () => {
  it("is a UUID of version 7 that sorts by time", () => {
    fc.assert(
      fc.property(millis, millis, random, random, (one, other, a, b) => {
        const [first, second] = [uuid7(one, a), uuid7(other, b)]
        expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        if (one < other) expect(first < second).toBe(true)
      })
    )
  })
})

import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type * as Tokens from "../../../src/auth/Tokens.ts"
import * as TokenState from "../../../src/auth/internal/TokenState.ts"

const purpose = fc.constantFrom<Tokens.Purpose>("recovery", "verification", "not_me")

const text = fc.constantFrom("a".repeat(64), "b".repeat(64), "c".repeat(64))

const time = fc.integer({ min: 0, max: 20 })

describe("tokenState", () => {
  it("is Expired from its last second on, Live when all fits, Tampered otherwise", () => {
    fc.assert(
      fc.property(text, text, purpose, purpose, time, time, (stored, given, kept, requested, expires, now) => {
        const expected = expires <= now ? "Expired" : stored === given && kept === requested ? "Live" : "Tampered"
        expect(TokenState.tokenState({ verifier: stored, purpose: kept, expires }, given, requested, now)).toBe(
          expected
        )
      })
    )
  })
})

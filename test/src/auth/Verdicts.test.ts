import { describe, expect, it } from "@effect/vitest"
import { Duration, FastCheck as fc } from "effect"
import * as Tokens from "../../../src/auth/Tokens.ts"
import * as Trust from "../../../src/auth/Trust.ts"

const purpose = fc.constantFrom<Tokens.Purpose>("recovery", "verification")
const text = fc.constantFrom("a".repeat(64), "b".repeat(64), "c".repeat(64))
const time = fc.integer({ min: 0, max: 20 })

describe("Tokens.verdict", () => {
  it("is Expired from its last second on, Live when all fits, Tampered otherwise", () => {
    fc.assert(
      fc.property(text, text, purpose, purpose, time, time, (stored, given, kept, asked, expires, now) => {
        const expected = expires <= now ? "Expired" : stored === given && kept === asked ? "Live" : "Tampered"
        expect(Tokens.verdict({ verifier: stored, purpose: kept, expires }, given, asked, now)).toBe(expected)
      })
    )
  })
})

describe("Trust.verdict", () => {
  const row = fc.record({
    verifier: text,
    expires: time,
    previous: fc.option(text),
    rotatedAt: fc.option(fc.integer({ min: 0, max: 20_000 }))
  })

  it("is Late only for the validator just before, only within the grace", () => {
    fc.assert(
      fc.property(
        row,
        text,
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 0, max: 5 }),
        (row, given, now, grace) => {
          const verdict = Trust.verdict(row, given, now, Duration.seconds(grace))
          if (row.expires * 1000 <= now) return void expect(verdict).toBe("Expired")
          if (given === row.verifier) return void expect(verdict).toBe("Current")
          const late = given === row.previous && row.rotatedAt !== null && now - row.rotatedAt < grace * 1000
          expect(verdict).toBe(late ? "Late" : "Replayed")
        }
      )
    )
  })

  it("is never Late without a grace", () => {
    fc.assert(
      fc.property(row, text, fc.integer({ min: 0, max: 20_000 }), (row, given, now) => {
        fc.pre((row.rotatedAt ?? 0) <= now)
        expect(Trust.verdict(row, given, now, Duration.zero)).not.toBe("Late")
      })
    )
  })
})

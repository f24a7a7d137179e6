import { describe, expect, it } from "@effect/vitest"
import { Duration, FastCheck } from "effect"
import { allowance, lease, maxAttempts, verdict } from "../../../src/mail/MailQueue.ts"
import { patience } from "../../../src/mail/Settings.ts"

describe("the queue's rules", () => {
  it("end a delivery before its lease, and a mail server's time before that", () => {
    expect(Duration.lessThan(patience.delivery, allowance)).toBe(true)
    expect(Duration.lessThan(allowance, lease)).toBe(true)
  })

  it("give up exactly at the last attempt, and wait longer after each failure before it", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.nat(10), FastCheck.nat(), (attempts, now) => {
        const fate = verdict(attempts, now)
        const next = verdict(attempts + 1, now)
        expect(fate._tag).toBe(attempts + 1 >= maxAttempts ? "GivenUp" : "Again")
        if (fate._tag === "Again" && next._tag === "Again") expect(next.due - now).toBeGreaterThan(fate.due - now)
        if (fate._tag === "Again") expect(fate.due).toBeGreaterThan(now)
      })
    )
  })
})

import { describe, expect, it } from "@effect/vitest"
import { Duration, FastCheck } from "effect"
import { deliveryTimeout, lease, maxAttempts, decideRetry } from "../../../src/mail/MailQueue.ts"
import { smtpTimeouts } from "../../../src/mail/MailSettings.ts"

describe("the queue's rules", () => {
  it("end a delivery before its lease, and a mail server's time before that", () => {
    expect(Duration.lessThan(smtpTimeouts.delivery, deliveryTimeout)).toBe(true)
    expect(Duration.lessThan(deliveryTimeout, lease)).toBe(true)
  })

  it("give up exactly at the last attempt, and wait longer after each failure before it", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.nat(10), FastCheck.nat(), (attempts, now) => {
        const fate = decideRetry(attempts, now)
        const next = decideRetry(attempts + 1, now)
        expect(fate._tag).toBe(attempts + 1 >= maxAttempts ? "GivenUp" : "Again")
        if (fate._tag === "Again" && next._tag === "Again") expect(next.due - now).toBeGreaterThan(fate.due - now)
        if (fate._tag === "Again") expect(fate.due).toBeGreaterThan(now)
      })
    )
  })
})

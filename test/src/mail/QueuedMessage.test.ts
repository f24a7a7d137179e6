import { describe, expect, it } from "@effect/vitest"
import { Duration, FastCheck } from "effect"
import { decideRetry, deliveryTimeout, lease, maxAttempts } from "../../../src/mail/internal/QueuedMessage.ts"
import { smtpTimeouts } from "../../../src/mail/internal/SmtpDefaults.ts"

describe("the queue's rules", () => {
  it("end a delivery before its lease, and a mail server's time before that", () => {
    expect(Duration.lessThan(smtpTimeouts.delivery, deliveryTimeout)).toBe(true)
    expect(Duration.lessThan(deliveryTimeout, lease)).toBe(true)
  })

  it("give up exactly at the last attempt, and wait longer after each failure before it", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.nat(10), FastCheck.nat(), (attempts, now) => {
        const decision = decideRetry(attempts, now)
        const next = decideRetry(attempts + 1, now)
        expect(decision._tag).toBe(attempts + 1 >= maxAttempts ? "GiveUp" : "Retry")
        if (decision._tag === "Retry" && next._tag === "Retry")
          expect(next.due - now).toBeGreaterThan(decision.due - now)
        if (decision._tag === "Retry") expect(decision.due).toBeGreaterThan(now)
      })
    )
  })
})

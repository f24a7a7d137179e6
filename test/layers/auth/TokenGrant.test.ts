import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { halvesOf, validateGrant } from "../../../layers/auth/TokenGrant.ts"
import { AccountId } from "../../../src/auth/Identity.ts"

const user = AccountId.make("ann")

describe("TokenGrant", () => {
  it.effect("rounds a lifetime down to whole seconds", () =>
    Effect.gen(function* () {
      expect(yield* validateGrant(user, "1 hour")).toBe(3600)
      expect(yield* validateGrant(user, "1999 millis")).toBe(1)
    })
  )

  it.effect.each([
    [AccountId.make(""), "1 hour", "A token needs a user."],
    [user, "999 millis", "A token must live for at least 1 s, not 0 s."]
  ] as const)("refuses a grant without a user or a second: %j %s", ([owner, ttl, message]) =>
    Effect.gen(function* () {
      expect((yield* Effect.flip(validateGrant(owner, ttl))).message).toBe(message)
    })
  )

  it("splits a token into selector and verifier", () => {
    const [selector, verifier] = ["0".repeat(16), "1".repeat(64)]
    expect(halvesOf(Redacted.make(`${selector}.${verifier}`))).toEqual({ selector, verifier })
  })

  it.each(["", "0.1", "x".repeat(1000)])("gives an empty selector for the malformed token %j", (text) => {
    expect(halvesOf(Redacted.make(text))).toEqual({ selector: "", verifier: text.slice(0, 64) })
  })
})

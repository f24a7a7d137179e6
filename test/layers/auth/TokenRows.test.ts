import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { sha256 } from "../../../layers/session/internal/Digest.ts"
import { mint, presented, validateGrant } from "../../../layers/auth/internal/TokenRows.ts"
import { AccountId } from "../../../src/session/Identity.ts"

const user = AccountId.make("ann")

describe("TokenRows", () => {
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

  it("looks a token up by its selector and the digest of its verifier", () => {
    const { token, ...columns } = mint({ bytes: (size) => new Uint8Array(size).fill(7) }, user)
    expect(presented(token.value)).toEqual(columns)
    expect(Redacted.value(token.value)).toBe(`${"07".repeat(8)}.${"07".repeat(32)}`)
    expect(columns).toEqual({ selector: "07".repeat(8), verifier: sha256("07".repeat(32)) })
  })

  it.each(["", "0.1", "x".repeat(1000)])("gives an empty selector for the malformed token %j", (text) => {
    expect(presented(Redacted.make(text))).toEqual({ selector: "", verifier: sha256(text.slice(0, 64)) })
  })
})

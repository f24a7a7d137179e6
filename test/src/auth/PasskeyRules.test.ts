import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { counterState } from "../../../src/auth/internal/passkeys/PasskeyRules.ts"
import * as PasskeyRules from "../../../src/auth/internal/passkeys/PasskeyRules.ts"

const counter = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }))

describe("counterState", () => {
  it("accepts a counter that has moved on, and 0 from an authenticator that never counted", () => {
    fc.assert(
      fc.property(counter, counter, (stored, given) => {
        const expected = given > stored ? "Advanced" : given === 0 && stored === 0 ? "NotCounted" : "Rewound"
        expect(counterState(stored, given)).toBe(expected)
      })
    )
  })

  it("accepts each counter of a sequence once", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 40 }), (given) => {
        let stored = 0
        const accepted = given.filter((one) => {
          const isNext = counterState(stored, one) === "Advanced"
          if (isNext) stored = one
          return isNext
        })
        expect(new Set(accepted).size).toBe(accepted.length)
        expect(accepted).toEqual(accepted.toSorted((a, b) => a - b))
      })
    )
  })
})

describe("The relying party", () => {
  it.each([
    ["https://app.example.com", "app.example.com", "https://app.example.com"],
    ["https://app.example.com:443/base", "app.example.com", "https://app.example.com"],
    ["https://App.Example.com:8443/", "app.example.com", "https://app.example.com:8443"],
    ["http://localhost:8087", "localhost", "http://localhost:8087"],
    ["https://bücher.example", "xn--bcher-kva.example", "https://xn--bcher-kva.example"],
    ["not a url", "", ""]
  ])("of %s is %s", (appUrl, id, origin) => {
    expect(PasskeyRules.relyingParty(appUrl)).toEqual({ id, origin })
  })
})

import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc, Redacted } from "effect"
import { AccountId } from "../../../src/auth/Identity.ts"
import * as Secret from "../../../src/auth/Secret.ts"

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length })
const halves = fc.record({ selector: hex(16), verifier: hex(64) })

describe("Secret", () => {
  it("parses what it prints", () => {
    fc.assert(fc.property(halves, (given) => void expect(Secret.parse(Secret.print(given))).toEqual(given)))
  })

  it("never parses foreign text", () => {
    const foreign = fc.oneof(
      fc.string(),
      fc.tuple(halves, fc.string({ minLength: 1 })).map(([given, tail]) => Secret.print(given) + tail),
      fc.tuple(halves, fc.string({ minLength: 1 })).map(([given, head]) => head + Secret.print(given)),
      halves.map(({ selector, verifier }) => `${verifier}.${selector}`)
    )
    fc.assert(fc.property(foreign, (text) => void expect(Secret.parse(text)).toBeUndefined()))
    expect(Secret.parse(`${"A".repeat(16)}.${"A".repeat(64)}`)).toBeUndefined()
    expect(Secret.parse(`${"0".repeat(16)}.${"0".repeat(64)}\n`)).toBeUndefined()
  })

  it("generates a selector of 8 and a verifier of 32 random bytes in lower-case hex", () => {
    const sizes: Array<number> = []
    const generated = Secret.generate({
      bytes: (size) => {
        sizes.push(size)
        return new Uint8Array(size).fill(171)
      }
    })
    expect(sizes).toEqual([8, 32])
    expect(generated).toEqual({ selector: "ab".repeat(8), verifier: "ab".repeat(32) })
  })

  it("goes into a link and comes back out of it", () => {
    fc.assert(
      fc.property(halves, (given) => {
        const value = Redacted.make(Secret.print(given))
        const [selector = "", verifier = ""] = Redacted.value(
          Secret.toLink({ value, user: AccountId.make("someone") })
        ).split("/")
        expect(Redacted.value(Secret.fromLink(selector, verifier))).toBe(Redacted.value(value))
      })
    )
  })

  it("compares texts as they are", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(Secret.equal(a, b)).toBe(a === b)
        expect(Secret.equal(a, a)).toBe(true)
      })
    )
  })
})

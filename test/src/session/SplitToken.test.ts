import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc, Redacted } from "effect"
import * as SplitToken from "../../../src/session/internal/SplitToken.ts"

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length })
const halves = fc.record({ selector: hex(16), verifier: hex(64) })

describe("SplitToken", () => {
  it("parses what it prints", () => {
    fc.assert(fc.property(halves, (given) => void expect(SplitToken.parse(SplitToken.print(given))).toEqual(given)))
  })

  it("never parses foreign text", () => {
    const foreign = fc.oneof(
      fc.string(),
      fc.tuple(halves, fc.string({ minLength: 1 })).map(([given, tail]) => SplitToken.print(given) + tail),
      fc.tuple(halves, fc.string({ minLength: 1 })).map(([given, head]) => head + SplitToken.print(given)),
      halves.map(({ selector, verifier }) => `${verifier}.${selector}`)
    )
    fc.assert(fc.property(foreign, (text) => void expect(SplitToken.parse(text)).toBeUndefined()))
    expect(SplitToken.parse(`${"A".repeat(16)}.${"A".repeat(64)}`)).toBeUndefined()
    expect(SplitToken.parse(`${"0".repeat(16)}.${"0".repeat(64)}\n`)).toBeUndefined()
  })

  it("generates a selector of 8 and a verifier of 32 random bytes in lower-case hex", () => {
    const sizes: Array<number> = []
    const generated = SplitToken.generate({
      bytes: (size) => {
        sizes.push(size)
        return new Uint8Array(size).fill(171)
      }
    })
    expect(sizes).toEqual([8, 32])
    expect(generated).toEqual({ selector: "ab".repeat(8), verifier: "ab".repeat(32) })
  })

  it("comes back out of the segments of a link", () => {
    fc.assert(
      fc.property(halves, (given) => {
        const text = SplitToken.print(given)
        const [selector = "", verifier = ""] = text.split(".")
        expect(Redacted.value(SplitToken.fromLink(selector, verifier))).toBe(text)
      })
    )
  })

  it("compares texts as they are", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(SplitToken.equal(a, b)).toBe(a === b)
        expect(SplitToken.equal(a, a)).toBe(true)
      })
    )
  })
})

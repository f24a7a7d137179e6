import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as ReturnTo from "../../../src/session/internal/ReturnTo.ts"

describe("ReturnTo", () => {
  it.each(["/", "/account", "/articles?page=2&limit=5", "/a/b/../c", "/%2F%2Fevil.example", "/x?next=//evil.example"])(
    "keeps %s",
    (target) => {
      expect(ReturnTo.parse(target)).toBe(target)
    }
  )

  it.each([
    "",
    "account",
    "//evil.example",
    "/\\evil.example",
    "/a\\b",
    "https://evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/\n/evil.example",
    "/a\r\nSet-Cookie: x=1",
    "/ ",
    "/\u0000",
    "/\u2028",
    "/é",
    `/${"x".repeat(2048)}`
  ])("refuses %j", (target) => {
    expect(ReturnTo.parse(target)).toBeUndefined()
  })

  it("never lets a browser leave the site", () => {
    const nasty = fc.string({ unit: fc.constantFrom(..."/\\.:@?#%\t\n\r ehttps"), maxLength: 12 })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          nasty,
          nasty.map((tail) => `/${tail}`),
          fc.webUrl()
        ),
        (target) => {
          const kept = ReturnTo.parse(target)
          if (kept !== undefined) expect(new URL(kept, "https://app.example").origin).toBe("https://app.example")
        }
      ),
      { numRuns: 2000 }
    )
  })
})

import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as OneTimeCode from "../../../src/auth/internal/factors/OneTimeCode.ts"

describe("OneTimeCode", () => {
  it.prop(
    "is six digits, which may be grouped by blanks",
    [fc.stringMatching(/^[0-9]{6}$/), fc.nat(6)],
    ([code, at]) => {
      expect(OneTimeCode.parse(code)).toBe(code)
      expect(OneTimeCode.parse(` ${code.slice(0, at)} ${code.slice(at)} `)).toBe(code)
    }
  )

  it("is no other text, and no digit of another script", () => {
    for (const text of ["", "12345", "1234567", "12345a", "１２３４５６", "123-456", "1".repeat(1e6)]) {
      expect(OneTimeCode.parse(text)).toBeUndefined()
    }
  })
})

import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as CodeText from "../../../src/auth/internal/factors/CodeText.ts"

describe("OneTimeCode", () => {
  it.prop(
    "is six digits, which may be grouped by blanks",
    [fc.stringMatching(/^[0-9]{6}$/), fc.nat(6)],
    ([code, at]) => {
      expect(CodeText.parseOneTimeCode(code)).toBe(code)
      expect(CodeText.parseOneTimeCode(` ${code.slice(0, at)} ${code.slice(at)} `)).toBe(code)
    }
  )

  it("is no other text, and no digit of another script", () => {
    for (const text of ["", "12345", "1234567", "12345a", "１２３４５６", "123-456", "1".repeat(1e6)]) {
      expect(CodeText.parseOneTimeCode(text)).toBeUndefined()
    }
  })
})

const bytes = fc.uint8Array({ minLength: CodeText.recoveryBytes, maxLength: CodeText.recoveryBytes })

describe("RecoveryCode", () => {
  it.prop(
    "is read back as it was printed, in any case and grouping",
    [bytes, fc.constantFrom("-", " ", "", "  ")],
    ([given, separator]) => {
      const code = CodeText.printRecoveryCode(given)
      expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){5}$/)
      expect(CodeText.parseRecoveryCode(code)).toBe(code)
      expect(CodeText.parseRecoveryCode(` ${code.toUpperCase().replaceAll("-", separator)} `)).toBe(code)
      expect(CodeText.parseRecoveryCode(code.replaceAll("0", "o").replaceAll("1", "l"))).toBe(code)
    }
  )

  it("has every bit of its bytes", () => {
    const ofLast = (last: number) => CodeText.printRecoveryCode(Uint8Array.of(...Array<number>(14).fill(255), last))
    expect([ofLast(255), ofLast(254)]).toEqual(["zzzz-zzzz-zzzz-zzzz-zzzz-zzzz", "zzzz-zzzz-zzzz-zzzz-zzzz-zzzy"])
  })

  it.prop("differs for other bytes", [bytes, bytes], ([one, other]) => {
    fc.pre(Buffer.compare(one, other) !== 0)
    expect(CodeText.printRecoveryCode(one)).not.toBe(CodeText.printRecoveryCode(other))
  })

  it.prop("is no other text", [fc.string({ unit: "grapheme" })], ([text]) => {
    const parsed = CodeText.parseRecoveryCode(text)
    if (parsed !== undefined) expect(parsed.replaceAll("-", "")).toHaveLength(24)
  })

  it("is not a short, long or foreign text", () => {
    for (const text of [
      "",
      "123456",
      "0000-0000-0000-0000-0000-000",
      "0000-0000-0000-0000-0000-0000-0",
      "uuuu-uuuu-uuuu-uuuu-uuuu-uuuu",
      "x".repeat(1e6)
    ]) {
      expect(CodeText.parseRecoveryCode(text)).toBeUndefined()
    }
  })
})

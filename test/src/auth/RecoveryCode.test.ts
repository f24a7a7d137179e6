import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as RecoveryCode from "../../../src/auth/internal/factors/RecoveryCode.ts"

const bytes = fc.uint8Array({ minLength: RecoveryCode.codeBytes, maxLength: RecoveryCode.codeBytes })

describe("RecoveryCode", () => {
  it.prop(
    "is read back as it was printed, in any case and grouping",
    [bytes, fc.constantFrom("-", " ", "", "  ")],
    ([given, separator]) => {
      const code = RecoveryCode.print(given)
      expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){5}$/)
      expect(RecoveryCode.parse(code)).toBe(code)
      expect(RecoveryCode.parse(` ${code.toUpperCase().replaceAll("-", separator)} `)).toBe(code)
      expect(RecoveryCode.parse(code.replaceAll("0", "o").replaceAll("1", "l"))).toBe(code)
    }
  )

  it.prop("differs for other bytes", [bytes, bytes], ([one, other]) => {
    fc.pre(Buffer.compare(one, other) !== 0)
    expect(RecoveryCode.print(one)).not.toBe(RecoveryCode.print(other))
  })

  it.prop("is no other text", [fc.string({ unit: "grapheme" })], ([text]) => {
    const parsed = RecoveryCode.parse(text)
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
      expect(RecoveryCode.parse(text)).toBeUndefined()
    }
  })
})

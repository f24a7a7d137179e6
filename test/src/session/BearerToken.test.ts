import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { crc32 } from "node:zlib"
import * as BearerToken from "../../../src/session/internal/BearerToken.ts"

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 })
const kind = fc.constantFrom<BearerToken.Kind>("session", "token")
const printed = fc.tuple(kind, secret).map(([of, bytes]) => BearerToken.print(of, bytes))

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const numberOf = (text: string): bigint =>
  [...text].reduce((value, char) => value * 62n + BigInt(alphabet.indexOf(char)), 0n)

describe("BearerToken", () => {
  it("prints a prefix, all 256 bits and a CRC-32 of both, in letters and digits", () => {
    fc.assert(
      fc.property(kind, secret, (of, bytes) => {
        const text = BearerToken.print(of, bytes)
        expect(text).toMatch(of === "session" ? /^efs_[0-9A-Za-z]{49}$/ : /^eft_[0-9A-Za-z]{49}$/)
        expect(numberOf(text.slice(4, 47))).toBe(BigInt(`0x${Buffer.from(bytes).toString("hex")}`))
        expect(numberOf(text.slice(47))).toBe(BigInt(crc32(text.slice(0, 47))))
        expect(BearerToken.kindOf(text)).toBe(of)
      })
    )
    const least = BearerToken.print("token", new Uint8Array(32))
    expect(least).toMatch(/^eft_0{43}/)
    expect(BearerToken.kindOf(BearerToken.print("token", new Uint8Array(32).fill(255)))).toBe("token")
  })

  it("finds every change of one character, and every two characters in the wrong order", () => {
    fc.assert(
      fc.property(printed, fc.nat(52), fc.nat(61), (text, at, by) => {
        const changed = text.slice(0, at) + alphabet[by] + text.slice(at + 1)
        if (changed !== text) expect(BearerToken.kindOf(changed)).toBeUndefined()
        const swapped = text.slice(0, at) + (text[at + 1] ?? "") + (text[at] ?? "") + text.slice(at + 2)
        if (swapped !== text) expect(BearerToken.kindOf(swapped)).toBeUndefined()
      })
    )
  })

  it("accepts nothing that is longer, shorter, in another case, or foreign", () => {
    fc.assert(
      fc.property(printed, fc.string({ minLength: 1, unit: "binary" }), fc.nat(52), (text, more, length) => {
        for (const other of [text + more, more + text, text.slice(0, length), more]) {
          expect(BearerToken.kindOf(other)).toBeUndefined()
        }
        for (const other of [text.toLowerCase(), text.toUpperCase()]) {
          if (other !== text) expect(BearerToken.kindOf(other)).toBeUndefined()
        }
      })
    )
    const text = BearerToken.print("session", new Uint8Array(32).fill(7))
    for (const other of [`${text}\n`, ` ${text}`, text.replace("efs_", "eft_"), text.replace("efs_", "ghp_"), ""]) {
      expect(BearerToken.kindOf(other)).toBeUndefined()
    }
  })

  it("accepts no other prefix, length or character, also where the checksum is right", () => {
    const checked = (text: string) => {
      let [rest, digits] = [crc32(text), ""]
      for (; digits.length < 6; rest = Math.floor(rest / 62)) digits = (alphabet[rest % 62] ?? "") + digits
      return text + digits
    }
    const body = "7".repeat(43)
    expect(BearerToken.kindOf(checked(`efs_${body}`))).toBe("session")
    for (const text of [
      `ghp_${body}`,
      `eft-${body}`,
      `eft_${body}7`,
      `eft_${body.slice(1)}`,
      `efs_-${body.slice(1)}`
    ]) {
      expect([text, BearerToken.kindOf(checked(text))]).toEqual([text, undefined])
    }
  })

  it("has another text for other bytes", () => {
    fc.assert(
      fc.property(secret, secret, (a, b) => {
        const isEqual = Buffer.from(a).equals(Buffer.from(b))
        expect(BearerToken.print("session", a) === BearerToken.print("session", b)).toBe(isEqual)
      })
    )
  })
})

import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { execFileSync } from "node:child_process"
import * as AuthenticatorApp from "../../../layers/auth/internal/AuthenticatorApp.ts"
import { acceptedSteps, stepOf } from "../../../src/auth/internal/factors/FactorRules.ts"

// The secret of RFC 6238, appendix B, for SHA-1. Its codes have eight digits, of which ours are the last six.
const rfcSecret = AuthenticatorApp.printSecret(Buffer.from("12345678901234567890"))

const rfcVectors = [
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"]
] as const

describe("AuthenticatorApp", () => {
  it("computes the codes of RFC 6238", () => {
    for (const [seconds, code] of rfcVectors) {
      expect(AuthenticatorApp.codeAt(rfcSecret, stepOf(seconds)), String(seconds)).toBe(code.slice(2))
    }
  })

  it("computes the codes that oathtool computes, for any secret at any time", () => {
    const cases = fc.sample(
      fc.record({
        bytes: fc.uint8Array({ minLength: 20, maxLength: 20 }),
        seconds: fc.integer({ min: 0, max: 4_000_000_000 })
      }),
      12
    )
    for (const { bytes, seconds } of cases) {
      const secret = AuthenticatorApp.printSecret(bytes)
      const options = ["--totp", "--base32", "--digits=6", `--now=@${seconds}`, secret]
      const expected = execFileSync("oathtool", options, { encoding: "utf8" }).trim()
      expect(AuthenticatorApp.codeAt(secret, stepOf(seconds)), `${secret} at ${seconds}`).toBe(expected)
    }
  })

  it("finds the step of a code among those that are accepted, and none for another text", () => {
    const steps = acceptedSteps(1_111_111_109)
    expect(AuthenticatorApp.matchingSteps(rfcSecret, "081804", steps)).toEqual([stepOf(1_111_111_109)])
    expect(AuthenticatorApp.matchingSteps(rfcSecret, "050471", steps)).toEqual([stepOf(1_111_111_111)])
    for (const other of ["081805", "", "07081804", "abcdef"]) {
      expect(AuthenticatorApp.matchingSteps(rfcSecret, other, steps), other).toEqual([])
    }
  })

  it("draws the address as a picture without scripts, links or styles", () => {
    const uri = AuthenticatorApp.addressOf(rfcSecret, "example.com", `"><script>@example.com`)
    const picture = AuthenticatorApp.pictureOf(uri)
    expect(picture).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="[0-9 ]+">/)
    expect(picture).not.toMatch(/script|href|style|on\w+=/)
  })
})

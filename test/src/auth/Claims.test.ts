import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc, Option } from "effect"
import * as Claims from "../../../src/auth/internal/providers/Claims.ts"

const issuer = "https://id.example.com"

const personOf = (claims: Claims.Claims) => Option.getOrUndefined(Claims.person(issuer, claims))

describe("Claims", () => {
  it.each<readonly [string, unknown, string | undefined]>([
    ["an address", "Ann@Example.com ", "ann@example.com"],
    ["none", undefined, undefined],
    ["two in a text", "a@example.com,b@example.com", undefined],
    ["a list", ["a@example.com"], undefined],
    ["a name with it", "Ann <a@example.com>", undefined],
    ["a line break", "a@example.com\r\nbcc: b@example.com", undefined],
    ["an object", { email: "a@example.com" }, undefined],
    ["an empty text", "", undefined]
  ])("read the address: %s", (_name, email, expected) => {
    expect(personOf({ sub: "ann", email })?.email).toBe(expected)
  })

  it.each<readonly [unknown, boolean]>([
    [true, true],
    [false, false],
    ["true", false],
    [1, false],
    [undefined, false]
  ])("take only a boolean for a verified address: %s", (email_verified, expected) => {
    expect(personOf({ sub: "ann", email: "a@example.com", email_verified })?.isVerified).toBe(expected)
  })

  it("have a subject of 1 to 255 characters that a database can hold, and never fail", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("sub", "email", "amr", "name", "auth_time"), fc.anything()),
        (claims) => {
          const person = personOf(claims)
          if (person === undefined) return
          expect(person.subject).toBe(claims["sub"])
          expect(person.subject.length).toBeGreaterThan(0)
          expect(person.subject.length).toBeLessThanOrEqual(255)
          expect(person.subject).not.toContain("\0")
          expect(person.label.length).toBeGreaterThan(0)
        }
      )
    )
  })

  it("have no other subject", () => {
    const subject = (sub: unknown) => personOf({ sub })?.subject
    expect(subject("a".repeat(255))).toBe("a".repeat(255))
    for (const sub of ["", "a".repeat(256), "a\0", "\ud800", 7, ["ann"], undefined])
      expect(subject(sub)).toBeUndefined()
  })

  it("say when the person was asked only by a number", () => {
    const at = (auth_time: unknown) => personOf({ sub: "ann", auth_time })?.authenticated
    expect([7, 0, "7", Infinity, NaN, true, undefined].map(at)).toEqual([7, 0, ...Array<undefined>(5).fill(undefined)])
  })

  it.each<readonly [unknown, unknown, boolean]>([
    ["ann@gmail.com", undefined, true],
    ["ann@googlemail.com", undefined, true],
    ["Ann@Company.example", "company.example", true],
    // A consumer account with the address of a company says `email_verified: true` as well.
    ["ann@company.example", undefined, false],
    ["ann@company.example", "another.example", false],
    ["ann@company.example", "Company.example", false],
    ["ann@company.example", ["company.example"], false],
    ["ann@company.example", true, false],
    ["ann@mail.gmail.com", undefined, false],
    [undefined, "", false],
    ["ann@", "", false]
  ])("are of a mailbox of Google's for %s only with its domain in hd: %s, %s", (email, hd, expected) => {
    expect(Claims.google.provesAddress({ email, hd, email_verified: true })).toBe(expected)
  })

  it("have the domain after the last @", () => {
    expect(["ann@example.com", '"a@b"@example.com'].map(Claims.domainOf)).toEqual(["example.com", "example.com"])
  })

  it("name a second factor only by what RFC 8176 has for one", () => {
    const factor = (amr: unknown) => personOf({ sub: "ann", amr })?.hasSecondFactor
    expect([["pwd"], ["pwd", "mfa"], "mfa", ["otp"], undefined].map(factor)).toEqual([false, true, false, true, false])
  })
})

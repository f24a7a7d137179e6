import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Authorization from "../../../src/http/internal/Authorization.ts"

const text = fc.string({ unit: fc.constantFrom(..."abcXYZ019_-.~+/="), minLength: 1, maxLength: 100 })

describe("Authorization", () => {
  it("is absent only when there is no header", () => {
    expect(Authorization.read(undefined)).toEqual({ _tag: "Absent" })
    fc.assert(fc.property(fc.string(), (header) => void expect(Authorization.read(header)._tag).not.toBe("Absent")))
  })

  it("has the text after the scheme, whose case does not count", () => {
    fc.assert(
      fc.property(text, fc.constantFrom("Bearer", "bearer", "BEARER", "bEARER"), (given, scheme) => {
        expect(Authorization.read(`${scheme} ${given}`)).toEqual({ _tag: "Bearer", text: given })
        expect(Authorization.read(`${scheme}   ${given}`)).toEqual({ _tag: "Bearer", text: given })
      })
    )
  })

  it.each([
    "",
    "Bearer",
    "Bearer ",
    "Bearerabc",
    "Basic YTpi",
    "Session abc",
    "Bearer a b",
    "Bearer a, Bearer b",
    "Bearer a,b",
    " Bearer a",
    "Bearer a\tb",
    `Bearer ${"a".repeat(513)}`,
    `Bearer${" ".repeat(17)}a`
  ])("is unusable as %j", (header) => {
    expect(Authorization.read(header)).toEqual({ _tag: "Unusable" })
  })

  it("is unusable when it was sent twice, in whatever case, also with the same text", () => {
    for (const second of ["authorization", "Authorization", "AUTHORIZATION"]) {
      const lines = ["Host", "localhost", "Authorization", "Bearer a", second, "Bearer a"]
      expect(Authorization.read("Bearer a", lines)).toEqual({ _tag: "Unusable" })
    }
    const once = ["Host", "localhost", "Authorization", "Bearer a", "X-Other", "authorization"]
    expect(Authorization.read("Bearer a", once)).toEqual({ _tag: "Bearer", text: "a" })
  })
})

describe("the challenge", () => {
  it("names the scheme and the realm", () => {
    expect(Authorization.challenge(Authorization.defaultRealm)).toBe(`Session realm="Protected area"`)
  })

  it.each([
    ["Members' area", true],
    ["", false],
    ["x".repeat(200), true],
    ["x".repeat(201), false],
    [`a "quoted" realm`, false],
    ["a\\b", false],
    ["a\r\nSet-Cookie: b", false],
    ["Büro", false]
  ])("accepts the realm %j: %s", (text, expected) => {
    expect(Authorization.isRealm(text)).toBe(expected)
  })
})

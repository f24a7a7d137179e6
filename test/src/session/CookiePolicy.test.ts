import { describe, expect, it } from "@effect/vitest"
import { Duration, FastCheck as fc } from "effect"
import * as CookiePolicy from "../../../src/session/internal/CookiePolicy.ts"

describe("CookiePolicy", () => {
  it("sends every cookie with Secure, HttpOnly and SameSite=Lax, for the whole site", () => {
    expect([
      CookiePolicy.session("session", "x"),
      CookiePolicy.lasting("remember", "y", Duration.days(30)),
      CookiePolicy.expired("remember")
    ]).toEqual([
      "session=x; Path=/; Secure; HttpOnly; SameSite=Lax",
      "remember=y; Max-Age=2592000; Path=/; Secure; HttpOnly; SameSite=Lax",
      "remember=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax"
    ])
  })

  it("names a path and a domain where there is one, and keeps every flag", () => {
    const scope = { path: "/app", domain: "example.com" }
    const attributes = "Path=/app; Domain=example.com; Secure; HttpOnly; SameSite=Lax"
    expect(CookiePolicy.lasting("remember", "y", Duration.days(30), scope)).toBe(
      `remember=y; Max-Age=2592000; ${attributes}`
    )
    expect(CookiePolicy.expired("remember", scope)).toBe(`remember=; Max-Age=0; ${attributes}`)
  })

  it("takes no path and no domain that could begin another attribute or line", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.constantFrom(";", "\r", "\n", "\0", " ", "\t", "\x7f", "\xe9"),
        (text, one) => {
          expect(CookiePolicy.isPath(`/${text}${one}`)).toBe(false)
          expect(CookiePolicy.isDomain(`${text}${one}com`)).toBe(false)
        }
      )
    )
    expect([CookiePolicy.isPath("/"), CookiePolicy.isPath("/a/b"), CookiePolicy.isPath("")]).toEqual([
      true,
      true,
      false
    ])
  })

  it.each([
    ["/\x21\x3a\x3c\x7e", true],
    [`/${"a".repeat(255)}`, true],
    [`/${"a".repeat(256)}`, false],
    ["a/b", false],
    ["/a;b", false],
    ["/a b", false],
    ["/a\x7f", false]
  ])("has %j for a path: %s", (path, expected) => {
    expect(CookiePolicy.isPath(path)).toBe(expected)
  })

  it.each([
    ["example.com", true],
    ["EXAMPLE.com", false],
    ["b\xfccher.example", false],
    [".example.com", false],
    ["example.com:80", false],
    ["192.0.2.1", false]
  ])("has %j for a domain: %s", (domain, expected) => {
    expect(CookiePolicy.isDomain(domain)).toBe(expected)
  })

  it.each([
    ["!#$%&'*+.^_`|~09AZaz-", true],
    ["a".repeat(64), true],
    ["a".repeat(65), false],
    ["", false],
    ["a b", false],
    ["a=b", false],
    ["a;b", false]
  ])("has %j for a name: %s", (name, expected) => {
    expect(CookiePolicy.isName(name)).toBe(expected)
  })

  it("is whole seconds long, and never longer than it was asked to be", () => {
    expect(CookiePolicy.lasting("remember", "y", Duration.millis(1999))).toContain("Max-Age=1;")
  })

  it("sends the remember cookie where the program says", () => {
    expect(CookiePolicy.rememberScope({ rememberPath: "/app", rememberDomain: "example.com" })).toEqual({
      path: "/app",
      domain: "example.com"
    })
  })

  it("keeps the promise of a name that begins with __Host-", () => {
    const { fits, wholeSite } = CookiePolicy
    expect(fits("__Host-remember", wholeSite)).toBe(true)
    expect(fits("__Host-remember", { path: "/app", domain: undefined })).toBe(false)
    expect(fits("__host-remember", { path: "/", domain: "example.com" })).toBe(false)
    expect(fits("remember", { path: "/app", domain: "example.com" })).toBe(true)
    expect(fits("my__Host-remember", { path: "/app", domain: "example.com" })).toBe(true)
  })

  it.each([
    [undefined, undefined],
    ["", undefined],
    ["session=a", "a"],
    ["other=1; session=a", "a"],
    ["other=1;session=a;  third=2", "a"],
    ["xsession=b; session=a", "a"],
    ["sessionx=b", undefined],
    ["session", undefined],
    ["session=", ""],
    ["session=a=b", "a=b"],
    ["session=a; session=a", "a"],
    ["session=a; session=b", undefined],
    ["other=1;  session=a", "a"],
    ["session=a ; other=1", "a"],
    ["session= a", " a"],
    ["\tsession=a", undefined],
    ["another=b; session=a", "a"],
    ["session:a", undefined],
    ["session0a", undefined],
    [`session=a; x=${"y".repeat(16_384 - 13)}`, "a"],
    [`session=a; x=${"y".repeat(16_385 - 13)}`, undefined]
  ])("reads %j as %j", (header, expected) => {
    expect(CookiePolicy.read(header, "session")).toBe(expected)
  })

  it("finds its cookie wherever it stands among others", () => {
    const value = fc.string({ unit: fc.constantFrom(..."abcXYZ019.-_="), maxLength: 20 })
    const others = fc.array(fc.tuple(fc.constantFrom("a", "b", "sessions", "xsession"), value))
    fc.assert(
      fc.property(others, others, value, (before, after, own) => {
        const header = [...before, ["session", own], ...after].map(([name, text]) => `${name}=${text}`).join("; ")
        expect(CookiePolicy.read(header, "session")).toBe(own)
      })
    )
  })
})

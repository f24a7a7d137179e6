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

  it("keeps the promise of a name that begins with __Host-", () => {
    const { fits, wholeSite } = CookiePolicy
    expect(fits("__Host-remember", wholeSite)).toBe(true)
    expect(fits("__Host-remember", { path: "/app", domain: undefined })).toBe(false)
    expect(fits("__host-remember", { path: "/", domain: "example.com" })).toBe(false)
    expect(fits("remember", { path: "/app", domain: "example.com" })).toBe(true)
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
    [`session=a; x=${"y".repeat(20_000)}`, undefined]
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

import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { domainToASCII } from "node:url"
import * as Domain from "../../../src/http/internal/text/Domain.ts"

const example = "example.com"

describe("Domain.ascii", () => {
  it.each([
    ["EXAMPLE.Com", example],
    ["\uff45xample.com", example],
    ["example\u3002com", example],
    ["example\uff0ecom", example],
    ["example\uff61com", example],
    ["exam\u00adple.com", example],
    ["exam\u200bple.com", example],
    ["exam\ufe0fple.com", example],
    ["\u212fxample.com", example],
    ["\u24d4xample.com", example],
    ["\u{1d41e}xample.com", example],
    ["B\u00dcCHER.example", "xn--bcher-kva.example"],
    ["bu\u0308cher.example", "xn--bcher-kva.example"],
    ["XN--BCHER-KVA.example", "xn--bcher-kva.example"],
    ["stra\u00dfe.example", "xn--strae-oqa.example"],
    ["\u212a.example", "k.example"],
    ["ab--c.example", "ab--c.example"],
    ["localhost", "localhost"]
  ])("writes %j as %s", (given, expected) => {
    expect(Domain.ascii(given)).toBe(expected)
  })

  it.each([
    ["a joiner that the script does not ask for", "exam\u200dple.com"],
    ["a dot at the end", "example.com."],
    ["an ideographic dot at the end", "example.com\u3002"],
    ["an empty label", "example..com"],
    ["punycode of nothing", "xn--a.com"],
    ["punycode of what has a plain spelling", "xn--example-.com"],
    ["punycode of punycode", "xn--xn--a-bcc.com"],
    ["an IPv4 address", "127.0.0.1"],
    ["an IPv4 address in wide digits", "\uff11\uff12\uff17.0.0.1"],
    ["an IPv4 address in hex", "0x7f.1"],
    ["an IPv4 address in wide hex", "\uff10x7f000001"],
    ["an IPv6 address", "[::1]"],
    ["a port", "example.com:25"],
    ["a path", "example.com/x"],
    ["a backslash", "example.com\\x"],
    ["a query", "example.com?x"],
    ["a fragment", "example.com#x"],
    ["credentials", "a@example.com"],
    ["an escape", "%65xample.com"],
    ["a wide escape", "\uff0565xample.com"],
    ["a wide slash", "example.com\uff0fx"],
    ["a wide at", "a\uff20example.com"],
    ["an account of", "\u2100.com"],
    ["a tab", "exam\tple.com"],
    ["a line break", "exam\r\nple.com"],
    ["a space", "exam ple.com"],
    ["an underscore", "a_b.example"],
    ["a hyphen first", "-a.example"],
    ["a hyphen last", "a-.example"],
    ["half a surrogate pair", "\ud83e.example"],
    ["nothing", ""],
    ["too many labels", `${"a.".repeat(126)}com`]
  ])("knows no form for %s", (_name, given) => {
    expect(Domain.ascii(given)).toBeUndefined()
  })

  const unit = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(..."abzAZ09.-\u3002\uff0e\uff45\u00df\u00fc\u00dc\u0308\u00ad\u200b") },
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 })
  )
  const domain = fc.array(unit, { minLength: 1, maxLength: 20 }).map((units) => units.join(""))

  it("is one form for each name: converting it again changes nothing", () => {
    fc.assert(
      fc.property(domain, (given) => {
        const form = Domain.ascii(given)
        if (form === undefined) return
        expect(form).toMatch(/^[a-z0-9.-]+$/)
        expect(Domain.ascii(form)).toBe(form)
        expect(Domain.ascii(form.toUpperCase())).toBe(form)
      }),
      { numRuns: 2000 }
    )
  })

  it("is the form that the mail library looks up", () => {
    fc.assert(
      fc.property(domain, (given) => {
        const form = Domain.ascii(given)
        if (form !== undefined) expect(form).toBe(domainToASCII(given))
      }),
      { numRuns: 2000 }
    )
  })
})

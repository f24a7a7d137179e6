import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as ForwardedFor from "../../../src/session/internal/ForwardedFor.ts"

const trusted = ForwardedFor.parseTrusted("10.0.0.0/8, ::1, 2001:db8::/32") ?? []

describe("ForwardedFor.resolve", () => {
  it.each([
    ["is the connection's own address without a header", "203.0.113.9", undefined, "203.0.113.9"],
    ["does not believe a header of a stranger", "203.0.113.9", "198.51.100.7", "203.0.113.9"],
    ["believes a trusted proxy", "10.1.1.1", "198.51.100.7", "198.51.100.7"],
    ["knows a proxy in its mapped form", "::ffff:10.1.1.1", "198.51.100.7", "198.51.100.7"],
    ["walks from the right past trusted proxies", "10.1.1.1", "198.51.100.7, 10.2.2.2,2001:db8::5", "198.51.100.7"],
    [
      "stops at the first stranger: what is left of it is his own story",
      "10.1.1.1",
      "1.1.1.1, 198.51.100.7",
      "198.51.100.7"
    ],
    ["takes the leftmost when all are trusted", "10.1.1.1", "10.3.3.3, 10.2.2.2", "10.3.3.3"],
    ["stops at what it cannot read", "10.1.1.1", "198.51.100.7, unknown, 10.2.2.2", "10.2.2.2"],
    ["reads a port and brackets", "::1", "[2001:db9::7]:4711", "2001:db9::7"],
    ["reads a port after IPv4", "::1", "198.51.100.7:4711", "198.51.100.7"],
    ["takes an empty header for none", "10.1.1.1", "", "10.1.1.1"],
    ["takes an empty first entry for unreadable", "10.1.1.1", ",10.2.2.2", "10.2.2.2"],
    ["takes an empty entry for unreadable", "10.1.1.1", "198.51.100.7,", "10.1.1.1"]
  ])("%s", (_, remote, header, expected) => {
    expect(ForwardedFor.resolve(remote, header, trusted)).toBe(expected)
  })

  it("does not reach IPv4 through a trusted range of IPv6", () => {
    expect(ForwardedFor.resolve("192.0.2.1", "198.51.100.7", ForwardedFor.parseTrusted("::/0") ?? [])).toBe("192.0.2.1")
  })

  it.each([
    ["0.0.0.0/0", "192.0.2.1", "198.51.100.7"],
    ["0.0.0.0/0", "2001:db8::1", "2001:db8::1"],
    ["192.0.2.1/32", "192.0.2.1", "198.51.100.7"],
    ["192.0.2.1/32", "192.0.2.0", "192.0.2.0"],
    ["2001:db8::1/128", "2001:db8::1", "198.51.100.7"],
    ["2001:db8::1/128", "2001:db8::", "2001:db8::"]
  ])("of the range %s and a connection from %s is %s", (range, remote, client) => {
    expect(ForwardedFor.resolve(remote, "198.51.100.7", ForwardedFor.parseTrusted(range) ?? [])).toBe(client)
  })

  it("calls a connection without an address unknown", () => {
    expect(ForwardedFor.resolve(undefined, "198.51.100.7", trusted)).toBe(ForwardedFor.unknown)
  })

  it("reads only so much of a header that goes on and on", () => {
    expect(ForwardedFor.resolve("10.0.0.1", "198.51.100.7," + "10.0.0.1,".repeat(10_000) + "10.0.0.1", trusted)).toBe(
      "10.0.0.1"
    )
  })

  it("never returns an address that an untrusted client wrote", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(ForwardedFor.resolve("203.0.113.9", header, trusted)).toBe("203.0.113.9")
      })
    )
  })
})

describe("ForwardedFor.forwarded", () => {
  it.each([
    ["https", "shop.example", { scheme: "https", host: "shop.example" }],
    ["http, HTTPS", "evil.example, Shop.Example:8443", { scheme: "https", host: "shop.example:8443" }],
    [["http", "https"], ["[2001:db8::1]"], { scheme: "https", host: "[2001:db8::1]" }],
    ["gopher", "a b", {}],
    ["https, ", "user@shop.example", {}],
    [undefined, undefined, {}],
    ["x,".repeat(10_000), "<script>", {}]
  ])("of %j and %j", (proto, host, forwarded) => {
    expect(ForwardedFor.forwarded(proto, host)).toEqual(forwarded)
  })

  it.each([
    ["10.1.1.1", true],
    ["::ffff:10.1.1.1", true],
    ["203.0.113.9", false],
    [undefined, false]
  ])("is asked for a connection from %s: %s", (address, isTrusted) => {
    expect(ForwardedFor.isTrusted(address, ForwardedFor.parseTrusted("10.0.0.0/8") ?? [])).toBe(isTrusted)
    expect(ForwardedFor.isTrusted(address, [])).toBe(false)
  })
})

describe("ForwardedFor.bucket", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff::", "2001:db8:1:2::/64"],
    ["::1", "::/64"],
    ["unknown", "unknown"]
  ])("counts %s as %s", (peer, expected) => {
    expect(ForwardedFor.bucket(peer)).toBe(expected)
  })
})

describe("ForwardedFor.parseTrusted", () => {
  it.each(["", " ", "10.0.0.1", "10.0.0.0/8,::1", "2001:db8::/32 , 192.0.2.0/24"])("takes %j", (text) => {
    expect(ForwardedFor.parseTrusted(text)).toBeDefined()
  })

  it.each(["proxy", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/08", "10.0.0.0/-1", "10.0.0.1,x"])(
    "refuses %j",
    (text) => {
      expect(ForwardedFor.parseTrusted(text)).toBeUndefined()
    }
  )
})

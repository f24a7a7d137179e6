import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { isIP } from "node:net"
import * as IpAddress from "../../../src/session/internal/IpAddress.ts"

describe("IpAddress.canonical", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:c000:201", "192.0.2.1"],
    ["0:0:0:0:0:ffff:192.0.2.1", "192.0.2.1"],
    ["fe80::1%eth0", "fe80::1"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["1:0:0:2:0:0:0:3", "1:0:0:2::3"],
    ["1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"],
    ["::", "::"],
    ["64:ff9b::192.0.2.1", "64:ff9b::c000:201"],
    ["255.255.255.255", "255.255.255.255"],
    ["192.0.2.129", "192.0.2.129"],
    ["192.0.130.1", "192.0.130.1"],
    ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
    ["::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"],
    ["1:0:0:2:3:0:0:4", "1::2:3:0:0:4"],
    ["1:2:3:4:5:6:0:0", "1:2:3:4:5:6::"],
    ["abcd:2:3:4:5:6:7:8", "abcd:2:3:4:5:6:7:8"],
    [`fe80::1%${"e".repeat(56)}`, "fe80::1"],
    // Not IPv4: one other group is enough.
    ["1::ffff:c000:201", "1::ffff:c000:201"],
    ["0:1::ffff:c000:201", "0:1::ffff:c000:201"],
    ["0:0:1::ffff:c000:201", "::1:0:0:ffff:c000:201"],
    ["::1:0:ffff:c000:201", "::1:0:ffff:c000:201"],
    ["::1:ffff:c000:201", "::1:ffff:c000:201"],
    ["::fffe:c000:201", "::fffe:c000:201"],
    ["::192.0.2.1", "::c000:201"]
  ])("writes %s as %s", (given, expected) => {
    expect(IpAddress.canonical(given)).toBe(expected)
  })

  it.each(["", "192.0.2", "192.0.2.256", "192.0.2.01", "0300.0.2.1", "1:2:3:4:5:6:7", "1::2::3", "1:2:3:4:5:6:7:8:9"])(
    "refuses %j",
    (given) => {
      expect(IpAddress.canonical(given)).toBeUndefined()
    }
  )

  it.each([
    "256.0.2.1",
    "192.256.2.1",
    "192.0.256.1",
    "01.0.2.1",
    "192.00.2.1",
    "192.0.02.1",
    "1192.0.2.1",
    "192.0.2.1111",
    "192.0.2.1 ",
    "::1.2.3.4:5",
    "1:2:3:4::5:6:7:8",
    `fe80::1%${"e".repeat(57)}`
  ])("refuses %j", (given) => {
    expect(IpAddress.canonical(given)).toBeUndefined()
  })

  it.each(["1.2.3.4::", "12345::", "g::1", "::1.2.3.4.5", "::1.2.3", "1:2:3:4:5:6:7:1.2.3.4", " ::1", ":::"])(
    "refuses %j",
    (given) => {
      expect(IpAddress.canonical(given)).toBeUndefined()
    }
  )

  it("agrees with the operating system on what is an address", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ unit: fc.constantFrom(..."01af:.") })), (text) => {
        expect(IpAddress.canonical(text) !== undefined).toBe(isIP(text) !== 0)
      })
    )
  })

  it("has one text for each address: it is its own canonical form", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const canonical = IpAddress.canonical(text) ?? ""
        expect(isIP(canonical)).not.toBe(0)
        expect(IpAddress.canonical(canonical)).toBe(canonical)
      })
    )
  })
})

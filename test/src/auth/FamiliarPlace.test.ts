import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { isFamiliar, isTrusted, type Past, relevant } from "../../../src/auth/internal/FamiliarPlace.ts"

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"
const newer = "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0"
const home = { address: "192.0.2.7", userAgent: firefox }
const away = { address: "198.51.100.9", userAgent: firefox }

const past = (_tag: Past["_tag"], device: Past["device"], at: number) => ({ _tag, device, at })

describe("A sign-in", () => {
  it("is familiar with the same kind of browser from the same address", () => {
    expect(isFamiliar(home, undefined, [past("SignedUp", home, 1)])).toBe(true)
    expect(isFamiliar({ ...home, userAgent: newer }, undefined, [past("SignedIn", home, 1)])).toBe(true)
    expect(isFamiliar(away, undefined, [past("SignedIn", home, 1)])).toBe(false)
    expect(isFamiliar({ ...home, userAgent: "curl/8.5.0" }, undefined, [past("SignedIn", home, 1)])).toBe(false)
  })

  it("is familiar within a /64 of IPv6", () => {
    const [first, second] = ["2001:db8:1:2::7", "2001:db8:1:2:9:8:7:6"]
    expect(
      isFamiliar({ ...home, address: first }, undefined, [past("SignedIn", { ...home, address: second }, 1)])
    ).toBe(true)
  })

  it("is familiar on a known device, wherever it is", () => {
    expect(isFamiliar(away, 5, [past("SignedIn", home, 1)])).toBe(true)
  })

  it.each(["PasswordReset", "ReportedNotMe", "TakenOver", "Theft"] as const)("is new again after %s", (event) => {
    const history = [past(event, away, 10), past("SignedIn", home, 1)]
    expect(isFamiliar(home, undefined, history)).toBe(false)
    expect(isFamiliar(home, 9, history)).toBe(false)
    expect(isFamiliar(home, 10, history)).toBe(true)
    // Whoever reset the password or reported it has the mailbox; a thief has not.
    expect(isFamiliar(away, undefined, history)).toBe(event !== "Theft")
  })

  it("is nothing new for an account without a past", () => {
    expect(isFamiliar(home, undefined, [])).toBe(true)
  })

  const arbitrary = FastCheck.array(
    FastCheck.record({
      _tag: FastCheck.constantFrom(...relevant),
      device: FastCheck.constantFrom(home, away),
      at: FastCheck.nat()
    })
  ).map((events) => events.sort((a, b) => b.at - a.at))

  it.prop("of a trusted known device is always familiar", [arbitrary, FastCheck.nat()], ([history, since]) => {
    expect(isFamiliar(home, since, history) || !isTrusted(since, history)).toBe(true)
  })

  it.prop(
    "of an unknown device needs the same browser and address since the last distrust",
    [arbitrary],
    ([history]) => {
      const end = history.findIndex(({ _tag }) =>
        ["PasswordReset", "ReportedNotMe", "TakenOver", "Theft"].includes(_tag)
      )
      const recent = end === -1 ? history : history.slice(0, end + 1)
      const seen = recent.some(({ _tag, device }) => device === home && _tag !== "Theft")
      expect(isFamiliar(home, undefined, history)).toBe(history.length === 0 || seen)
    }
  )
})

import { describe, expect, it } from "@effect/vitest"
import { Duration, FastCheck as fc } from "effect"
import * as GuestCookie from "../../../layers/session/internal/GuestCookie.ts"
import type { Key } from "../../../src/session/internal/KeyRing.ts"
import { fromKeys } from "../../../layers/session/internal/SqlKeyRing.ts"

const key = (id: number, fill: number): Key => ({ id, secret: new Uint8Array(32).fill(fill), created: 0 })
const keys = fromKeys([key(1, 1)], 0)
const ttl = Duration.days(30)

const guests = fc.record({
  nonce: fc.string({ unit: fc.constantFrom(..."abcXYZ09-_"), minLength: 22, maxLength: 22 }),
  data: fc
    .dictionary(fc.string(), fc.string({ unit: "binary", maxLength: 60 }), { maxKeys: 5 })
    .map((data) => new Map(Object.entries(data)))
})

describe("GuestCookie", () => {
  it("decodes what it encoded, and fits a cookie", () => {
    fc.assert(
      fc.property(guests, (guest) => {
        const text = GuestCookie.encode(guest, keys, 1000)
        expect(text).toMatch(/^[A-Za-z0-9._-]+$/)
        expect(text.length).toBeLessThanOrEqual(GuestCookie.maxLength)
        expect(GuestCookie.decode(text, keys, 1000, ttl)).toEqual(guest)
      })
    )
  })

  it("carries a key that objects keep for themselves", () => {
    const guest = { nonce: "n".repeat(22), data: new Map([["__proto__", "Hello"]]) }
    expect(GuestCookie.decode(GuestCookie.encode(guest, keys, 1000), keys, 1000, ttl)).toEqual(guest)
  })

  it("never decodes foreign text, or its own with anything changed", () => {
    const text = GuestCookie.encode({ nonce: "n".repeat(22), data: new Map([["flash", "Hello"]]) }, keys, 1000)
    fc.assert(
      fc.property(fc.nat({ max: text.length - 1 }), fc.constantFrom(..."AZaz09._-"), (index, char) => {
        fc.pre(text[index] !== char)
        const changed = text.slice(0, index) + char + text.slice(index + 1)
        expect(GuestCookie.decode(changed, keys, 1000, ttl)).toBeUndefined()
      })
    )
    fc.assert(
      fc.property(fc.string(), (foreign) => void expect(GuestCookie.decode(foreign, keys, 0, ttl)).toBeUndefined())
    )
  })

  it("rejects the signature of another key", () => {
    const text = GuestCookie.encode({ nonce: "n", data: new Map() }, keys, 1000)
    expect(GuestCookie.decode(text, fromKeys([key(1, 2)], 0), 1000, ttl)).toBeUndefined()
    expect(GuestCookie.decode(text, fromKeys([key(2, 1)], 0), 1000, ttl)).toBeUndefined()
  })

  it("keeps what fits when the rest does not, the nonce always", () => {
    const data = new Map([
      ["intended", "/".repeat(3000)],
      ["flash", "Hello"],
      ["old", "x".repeat(3000)]
    ])
    const text = GuestCookie.encode({ nonce: "nonce", data }, keys, 1000)
    expect(text.length).toBeLessThanOrEqual(GuestCookie.maxLength)
    expect(GuestCookie.decode(text, keys, 1000, ttl)).toEqual({ nonce: "nonce", data: new Map([["flash", "Hello"]]) })
  })
})

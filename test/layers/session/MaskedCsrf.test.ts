import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as MaskedCsrf from "../../../layers/session/internal/MaskedCsrf.ts"

const bytes = fc.uint8Array({ minLength: MaskedCsrf.secretBytes, maxLength: MaskedCsrf.secretBytes })

describe("MaskedToken", () => {
  it("unmasks what it masked", () => {
    fc.assert(
      fc.property(bytes, bytes, (secret, pad) => {
        expect(MaskedCsrf.unmask(MaskedCsrf.mask(secret, pad))).toEqual(secret)
      })
    )
  })

  it("masks one secret as another text with another pad", () => {
    fc.assert(
      fc.property(bytes, bytes, bytes, (secret, one, other) => {
        expect(MaskedCsrf.mask(secret, one) === MaskedCsrf.mask(secret, other)).toBe(
          one.every((byte, index) => byte === other[index])
        )
      })
    )
  })

  it("never unmasks foreign text", () => {
    fc.assert(fc.property(fc.string(), (text) => void expect(MaskedCsrf.unmask(text)).toBeUndefined()))
    const token = MaskedCsrf.mask(new Uint8Array(32), new Uint8Array(32))
    for (const text of [`${token}=`, token.slice(1), `${token}A`, token.replace(/^./, "+"), `${token.slice(1)} `]) {
      expect(MaskedCsrf.unmask(text)).toBeUndefined()
    }
  })
})

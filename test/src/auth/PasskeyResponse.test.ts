import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc, Option } from "effect"
import * as PasskeyResponse from "../../../src/auth/internal/passkeys/PasskeyResponse.ts"

const encode = (text: string) => Buffer.from(text).toString("base64url")

const binary = fc.uint8Array({ minLength: 1, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString("base64url"))

const print = (id: string, response: object) =>
  JSON.stringify({
    id,
    rawId: id,
    type: "public-key",
    response,
    clientExtensionResults: {},
    authenticatorAttachment: "x"
  })

describe("The response of a browser", () => {
  it("is read back as it was written, and the two kinds are not mistaken for each other", () => {
    fc.assert(
      fc.property(binary, binary, binary, binary, (id, clientDataJSON, first, second) => {
        const assertion = { clientDataJSON, authenticatorData: first, signature: second, userHandle: null }
        const attestation = { clientDataJSON, attestationObject: first, transports: ["internal", "smart-card"] }
        const signed = print(id, assertion)
        const made = print(id, attestation)
        expect(Option.getOrThrow(PasskeyResponse.parseAssertion(signed))).toMatchObject({ id, response: assertion })
        expect(Option.getOrThrow(PasskeyResponse.parseAttestation(made))).toMatchObject({ id, response: attestation })
        expect(PasskeyResponse.parseAttestation(signed)).toEqual(Option.none())
        expect(PasskeyResponse.parseAssertion(made)).toEqual(Option.none())
      })
    )
  })

  it("is nothing for any other text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: "binary" })), (text) => {
        expect(PasskeyResponse.parseAssertion(text)).toEqual(Option.none())
        expect(PasskeyResponse.parseAttestation(text)).toEqual(Option.none())
      })
    )
  })

  it.each(["", "a b", "a+b", "a/b", "a=", "ä", "A".repeat(1365)])("has no id %j", (id) => {
    const response = { clientDataJSON: "AAAA", authenticatorData: "AAAA", signature: "AAAA" }
    expect(PasskeyResponse.parseAssertion(print(id, response))).toEqual(Option.none())
  })

  it("is refused above its length, and with transports that are none", () => {
    const long = print("AAAA", { clientDataJSON: "A".repeat(70_000), authenticatorData: "AAAA", signature: "AAAA" })
    expect(PasskeyResponse.parseAssertion(long)).toEqual(Option.none())
    const made = (transports: ReadonlyArray<string>) =>
      PasskeyResponse.parseAttestation(print("AAAA", { clientDataJSON: "AAAA", attestationObject: "AAAA", transports }))
    expect(Option.isSome(made([]))).toBe(true)
    for (const bad of [["a b"], ["x".repeat(21)], Array.from({ length: 11 }, () => "usb")]) {
      expect(made(bad)).toEqual(Option.none())
    }
  })
})

describe("challengeOf", () => {
  it("reads the challenge, unless a frame on another site made the response", () => {
    const data = (value: unknown) => PasskeyResponse.challengeOf(encode(JSON.stringify(value)))
    expect(data({ challenge: "AAAA", crossOrigin: false, more: 1 })).toEqual(Option.some("AAAA"))
    expect(data({ challenge: "AAAA" })).toEqual(Option.some("AAAA"))
    expect(data({ challenge: "AAAA", crossOrigin: true })).toEqual(Option.none())
    expect(data({})).toEqual(Option.none())
    expect(data("AAAA")).toEqual(Option.none())
  })

  it("reads none from any other text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json().map(encode), fc.base64String()), (text) => {
        expect(PasskeyResponse.challengeOf(text)).toEqual(Option.none())
      })
    )
  })
})

import { describe, expect, it } from "@effect/vitest"
import { derive, isSigned, sha256, sign } from "../../../layers/session/internal/Digest.ts"

const key = new Uint8Array(32).fill(7)

describe("Digest", () => {
  it("hashes text as sha-256 in hex", () => {
    expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  })

  it("derives 32 different bytes for each use of a secret", () => {
    expect(derive("csrf", "secret")).toHaveLength(32)
    expect(derive("csrf", "secret")).toEqual(derive("csrf", "secret"))
    expect(derive("csrf", "secret")).not.toEqual(derive("handle", "secret"))
    expect(derive("csrf", "secret")).not.toEqual(derive("csrf", "other"))
  })

  it("accepts a signature for its text and key only", () => {
    const signature = sign(key, "text")
    expect(isSigned(key, "text", signature)).toBe(true)
    expect(isSigned(key, "other", signature)).toBe(false)
    expect(isSigned(new Uint8Array(32), "text", signature)).toBe(false)
  })

  it.each(["", "short", "ä".repeat(43), `${sign(key, "text")}=`])("rejects the malformed signature %j", (signature) => {
    expect(isSigned(key, "text", signature)).toBe(false)
  })
})

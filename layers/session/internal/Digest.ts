// Synchronous digests: a session read must not wait behind password hashes on the thread pool.
import { createHmac, hash, timingSafeEqual } from "node:crypto"

export const sha256 = (text: string): string => hash("sha256", text, "hex")

/** S256 of RFC 7636. */
export const challengeOf = (verifier: string): string => hash("sha256", verifier, "base64url")

/** 32 bytes derived from a secret for one use; they reveal neither the secret nor the bytes of another use. */
export const derive = (use: string, secret: string): Uint8Array => hash("sha256", `${use}\0${secret}`, "buffer")

/** The signature of a text under a key. */
export const sign = (key: Uint8Array, text: string): string =>
  createHmac("sha256", key).update(text).digest("base64url")

/** Whether the signature is right, compared in constant time. */
export const isSigned = (key: Uint8Array, text: string, signature: string): boolean => {
  const expected = Buffer.from(sign(key, text))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

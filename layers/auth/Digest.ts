// Digests on the thread that asks: a password hash on the thread pool must not queue in front of a session read.
import { createHmac, hash, timingSafeEqual } from "node:crypto"

export const sha256 = (text: string): string => hash("sha256", text, "hex")

/** 32 bytes that are derived from a secret for one use: they tell nothing about it or about another use. */
export const derive = (use: string, secret: string): Uint8Array => hash("sha256", `${use}\0${secret}`, "buffer")

/** The signature of a text under a key. */
export const sign = (key: Uint8Array, text: string): string =>
  createHmac("sha256", key).update(text).digest("base64url")

/** Whether the signature is right, in a time that tells nothing about how wrong it is. */
export const isSigned = (key: Uint8Array, text: string, signature: string): boolean => {
  const expected = Buffer.from(sign(key, text))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

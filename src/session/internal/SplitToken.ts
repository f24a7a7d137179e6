// Tokens in two halves: a selector that finds the row and a verifier that proves the right to it.
import { type Context, Redacted } from "effect"
import type { Entropy } from "./Entropy.ts"

/** Bytes of a selector: enough to be unique; it is not secret. */
const selectorBytes = 8

/** Bytes of a verifier: too many to guess. */
export const verifierBytes = 32

/** The two halves of a token, in hex. */
interface Halves {
  readonly selector: string
  readonly verifier: string
}

const shape = /^([0-9a-f]{16})\.([0-9a-f]{64})$/

/** The halves of a token; `undefined` for any other text. */
export const parse = (text: string): Halves | undefined => {
  const match = shape.exec(text)
  return match === null ? undefined : { selector: match[1] ?? "", verifier: match[2] ?? "" }
}

/** Whether a text is a well-formed selector; a client may send any text, even one that no database can store. */
export const isSelector = (text: string): boolean => /^[0-9a-f]{16}$/.test(text)

/** `selector.verifier`, as in a cookie. */
export const print = ({ selector, verifier }: Halves): string => `${selector}.${verifier}`

/** A token from the two path segments of a link. Malformed segments make a token that is never valid. */
export const fromLink = (selector: string, verifier: string): Redacted.Redacted =>
  Redacted.make(print({ selector, verifier }))

const hexDigits = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, "0"))

/** Bytes as lower-case hex. */
export const toHex = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) text += hexDigits[byte] ?? ""
  return text
}

/** Random halves. */
export const generate = (entropy: Context.Tag.Service<Entropy>): Halves => ({
  selector: toHex(entropy.bytes(selectorBytes)),
  verifier: toHex(entropy.bytes(verifierBytes))
})

/** Whether two texts are equal, in a time that depends on their lengths only. */
export const equal = (given: string, known: string): boolean => {
  let difference = given.length ^ known.length
  for (let index = 0; index < known.length; index++) difference |= given.charCodeAt(index) ^ known.charCodeAt(index)
  return difference === 0
}

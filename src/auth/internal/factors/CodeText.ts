// The texts of one-time codes and of recovery codes, as a person types them.
import { codeDigits } from "./FactorRules.ts"

const shape = new RegExp(`^[0-9]{${codeDigits}}$`)

/** The six digits, which may be grouped by blanks; `undefined` for any other text. */
export const parseOneTimeCode = (text: string): string | undefined => {
  if (text.length > 64) return undefined
  const digits = text.replace(/\s/g, "")
  return shape.test(digits) ? digits : undefined
}

/** Random bytes of a recovery code: 120 bits, so that a plain digest of it is safe at rest. */
export const recoveryBytes = 15

// Crockford's base 32: no i, l, o and u.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

const recoveryLength = 24

/** The code of these bytes, in six groups: `0a1b-2c3d-4e5f-6g7h-8j9k-0m1n`. */
export const printRecoveryCode = (bytes: Uint8Array): string => {
  let bits = 0n
  for (const byte of bytes) bits = bits * 256n + BigInt(byte)
  let text = ""
  for (; text.length < recoveryLength; bits /= 32n) text = (alphabet[Number(bits % 32n)] ?? "") + text
  return (text.match(/.{4}/g) ?? []).join("-")
}

/** The code that a person typed: any case, with or without blanks and hyphens, and `o` for 0; `undefined` for other texts. */
export const parseRecoveryCode = (text: string): string | undefined => {
  if (text.length > 64) return undefined
  const plain = text.toLowerCase().replace(/[\s-]/g, "").replaceAll("o", "0").replace(/[il]/g, "1")
  if (plain.length !== recoveryLength || ![...plain].every((character) => alphabet.includes(character)))
    return undefined
  return (plain.match(/.{4}/g) ?? []).join("-")
}

// The text of a bearer secret: a prefix that names its kind, 256 random bits, and a checksum. Secret scanners find the
// prefix, and a mistyped or cut text is refused without a look into the database.

/** What a secret is for: a session of a client without cookies, or an API token. */
export type Kind = "session" | "token"

const prefixes: Readonly<Record<Kind, string>> = { session: "efs_", token: "eft_" }

/** Random bytes of a secret. */
export const secretBytes = 32

// Letters and digits only: a double click selects all of it.
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const base = BigInt(alphabet.length)

const bodyLength = 43
const checksumLength = 6
const shape = /^[0-9A-Za-z]{49}$/

const inBase62 = (value: bigint, length: number): string => {
  let text = ""
  for (let rest = value; text.length < length; rest /= base) text = (alphabet[Number(rest % base)] ?? "") + text
  return text
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

const crc32 = (text: string): number => {
  let value = 0xffffffff
  for (let at = 0; at < text.length; at++) {
    value = (value >>> 8) ^ (crcTable[(value ^ text.charCodeAt(at)) & 0xff] ?? 0)
  }
  return (value ^ 0xffffffff) >>> 0
}

// In plain numbers, because every request with a bearer is checked: in a third of the time that bigints take.
const checksum = (text: string): string => {
  let digits = ""
  for (let rest = crc32(text); digits.length < checksumLength; rest = Math.floor(rest / alphabet.length)) {
    digits = (alphabet[rest % alphabet.length] ?? "") + digits
  }
  return digits
}

/** The text of a secret: `efs_` or `eft_`, 43 characters for the bytes, 6 for the CRC-32 of all before it. */
export const print = (kind: Kind, bytes: Uint8Array): string => {
  let value = 0n
  for (const byte of bytes) value = value * 256n + BigInt(byte)
  const text = prefixes[kind] + inBase62(value, bodyLength)
  return text + checksum(text)
}

/** The kind of a well-formed text; `undefined` for any other. A well-formed text may still be unknown. */
export const kindOf = (text: string): Kind | undefined => {
  if (text.length !== 4 + bodyLength + checksumLength) return undefined
  const kind = text.startsWith(prefixes.session) ? "session" : text.startsWith(prefixes.token) ? "token" : undefined
  if (kind === undefined || !shape.test(text.slice(4))) return undefined
  return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength) ? kind : undefined
}

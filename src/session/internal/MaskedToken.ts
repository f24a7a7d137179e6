// The form token: the session's secret under a one-time pad.
import { Encoding, Either } from "effect"

/** Bytes of a session's secret; a token is twice as long, for its mask. */
export const secretBytes = 32

const length = Math.ceil((secretBytes * 2 * 4) / 3)

/** The secret under a one-time pad: a compressed page that repeats it would reveal it byte by byte (BREACH). */
export const mask = (secret: Uint8Array, pad: Uint8Array): string => {
  const masked = new Uint8Array(secretBytes * 2)
  for (let index = 0; index < secretBytes; index++) {
    masked[index] = pad[index] ?? 0
    masked[secretBytes + index] = (pad[index] ?? 0) ^ (secret[index] ?? 0)
  }
  return Buffer.from(masked.buffer).toString("base64url")
}

/** The secret under the mask; `undefined` for any other text. */
export const unmask = (token: string): Uint8Array | undefined => {
  if (token.length !== length) return undefined
  const masked = Either.getOrUndefined(Encoding.decodeBase64Url(token))
  if (masked?.length !== secretBytes * 2) return undefined
  const secret = new Uint8Array(secretBytes)
  for (let index = 0; index < secretBytes; index++) {
    secret[index] = (masked[index] ?? 0) ^ (masked[secretBytes + index] ?? 0)
  }
  return secret
}

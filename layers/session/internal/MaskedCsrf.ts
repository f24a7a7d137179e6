// Form tokens: the session's secret under a random mask.
import { Effect, Either, Encoding, Layer } from "effect"
import { timingSafeEqual } from "node:crypto"
import { Csrf } from "../../../src/session/Csrf.ts"
import { Entropy } from "../../../src/session/internal/Entropy.ts"

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

const make = Effect.map(Entropy, (entropy) =>
  Csrf.of({
    token: (session) => Effect.map(session.secret, (secret) => mask(secret, entropy.bytes(secretBytes))),
    check: (session, given) => {
      const presented = unmask(given)
      return presented === undefined
        ? Effect.succeed(false)
        : Effect.map(session.secret, (secret) => timingSafeEqual(presented, secret))
    }
  })
)

/** Form tokens with a new mask for each. */
export const layer: Layer.Layer<Csrf> = Layer.effect(Csrf, make)

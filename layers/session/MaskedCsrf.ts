// Form tokens: the session's secret under a random mask.
import { Effect, Layer } from "effect"
import { timingSafeEqual } from "node:crypto"
import { Csrf } from "../../src/session/Csrf.ts"
import { mask, secretBytes, unmask } from "../../src/session/internal/MaskedToken.ts"
import { Entropy } from "../../src/session/Secret.ts"

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
export const layer: Layer.Layer<Csrf, never, Entropy> = Layer.effect(Csrf, make)

// Passwords that hash as themselves, unless too many are being hashed.
import { Effect, Layer, Redacted } from "effect"
import { Overloaded, Password } from "../../src/auth/Password.ts"

let isFull = false

const unlessFull = <A>(value: () => A) =>
  Effect.suspend(() => (isFull ? new Overloaded({ retryAfter: 7 }) : Effect.sync(value)))

export const layer: Layer.Layer<Password> = Layer.succeed(Password, {
  hash: (password) => unlessFull(() => Redacted.value(password)),
  verify: (hash, password) => unlessFull(() => hash === Redacted.value(password)),
  isStale: () => false
})

/** Runs this while too many passwords are being hashed. */
export const full = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => void (isFull = true)),
    () => effect,
    () => Effect.sync(() => void (isFull = false))
  )

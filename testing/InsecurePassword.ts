// Passwords stored as plain text: a test that signs in a hundred times does not wait for argon2 a hundred times.
import { Effect, Layer, Redacted } from "effect"
import { Password } from "../src/auth/Password.ts"

const hash = (password: Redacted.Redacted): string => `plain:${Redacted.value(password)}`

/** A hasher that costs nothing and protects nothing. */
export const layer: Layer.Layer<Password> = Layer.succeed(Password, {
  hash: (password) => Effect.sync(() => hash(password)),
  verify: (stored, password) => Effect.sync(() => stored === hash(password)),
  isStale: () => false
})

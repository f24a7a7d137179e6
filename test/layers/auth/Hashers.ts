// A hasher that costs nothing: the stores do not care, and the tests need not wait.
import { Effect, Layer, Redacted } from "effect"
import { Password } from "../../../src/auth/Password.ts"

export const plainPassword = Layer.succeed(Password, {
  hash: (password) => Effect.sync(() => `plain:${Redacted.value(password)}`),
  verify: (hash, password) => Effect.sync(() => hash === `plain:${Redacted.value(password)}`),
  isStale: () => false
})

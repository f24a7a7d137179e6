// The account that the demo comes with, verified, so that a newcomer can sign in at once.
import { Effect, Layer, Option, Redacted } from "effect"
import { Users } from "../src/auth/Users.ts"

export const email = "demo@example.com"
export const password = Redacted.make("correct-horse-battery")

// Of the password above, so that the first start does not wait for it; the first sign-in replaces it by one at full cost.
const hash = Redacted.make(
  "$argon2id$v=19$m=19456,t=2,p=1$aXo87GRiKvl32+7bSERZrQ$7VzfRM8xCFbgL6bEOGGmk3zv/F7mxpMFrExyntRQJ6M"
)

/** Enrols it where it is missing; of several who start at once one does. */
export const seed: Effect.Effect<void, never, Users> = Effect.gen(function* () {
  const users = yield* Users
  const known = yield* users.fetch(email)
  if (Option.isSome(known)) return
  const account = yield* Effect.option(users.enroll(email, hash, { hashed: true }))
  if (Option.isSome(account)) yield* users.confirm(account.value)
}).pipe(Effect.orDie)

export const layer: Layer.Layer<never, never, Users> = Layer.effectDiscard(seed)

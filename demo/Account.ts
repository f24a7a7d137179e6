// The account that the demo comes with, verified, so that a newcomer can sign in at once.
import { Effect, Layer, Option, Redacted } from "effect"
import { Users } from "../src/auth/Users.ts"

export const email = "demo@example.com"
export const password = Redacted.make("correct-horse-battery")

/** Enrols it where it is missing; of several who start at once one does. */
export const seed: Effect.Effect<void, never, Users> = Effect.gen(function* () {
  const users = yield* Users
  const known = yield* users.fetch(email)
  if (Option.isSome(known)) return
  const user = yield* Effect.option(users.enroll(email, password))
  if (Option.isSome(user)) yield* users.confirm(user.value)
}).pipe(Effect.orDie)

export const layer: Layer.Layer<never, never, Users> = Layer.effectDiscard(seed)

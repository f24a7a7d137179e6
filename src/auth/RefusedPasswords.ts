// Passwords that anyone would guess: a list, and the corpus of leaked ones where the operator switches it on.
import { Context, Effect, Layer, type Option, type Redacted } from "effect"

/** Why a password is refused: it is among the most common, or it has been leaked. */
export type Refusal = "Common" | "Breached"

/** Looks a chosen password up. It never fails: what cannot be read refuses nothing. */
export class RefusedPasswords extends Context.Tag("effect-framework/auth/RefusedPasswords")<
  RefusedPasswords,
  { readonly find: (password: Redacted.Redacted) => Effect.Effect<Option.Option<Refusal>> }
>() {}

/** Accepts the most common passwords, too: for a program that has another check of its own. */
export const layerNone: Layer.Layer<RefusedPasswords> = Layer.succeed(RefusedPasswords, {
  find: () => Effect.succeedNone
})

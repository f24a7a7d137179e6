// Passwords that anyone would guess: a list, and the corpus of leaked ones where the operator switches it on.
import { Context, type Effect, Metric, type Option, type Redacted } from "effect"

/** Why a password is refused: it is among the most common, or it has been leaked. */
export type Refusal = "Common" | "Breached"

/** Looks a chosen password up. It never fails: what cannot be read refuses nothing. */
export class RefusedPasswords extends Context.Tag("effect-framework/auth/RefusedPasswords")<
  RefusedPasswords,
  { readonly find: (password: Redacted.Redacted) => Effect.Effect<Option.Option<Refusal>> }
>() {}

/** The lookups in the corpus that failed; the password was then accepted. */
export const failedLookups = Metric.counter("auth_breach_lookup_failures_total", {
  description: "Passwords that were accepted because the corpus of leaked ones could not be read",
  incremental: true
})

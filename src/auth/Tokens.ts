// Single-use action tokens: who may prove what, once.
import { Context, Duration, type Effect, type Option, type Redacted, Schema } from "effect"
import type { AccountId } from "./Identity.ts"
import type { InvalidGrant, Token } from "./Secret.ts"

/** What a token proves: an address (`verification`), or the right to choose a new password (`recovery`). */
export const Purpose = Schema.Literal("recovery", "verification")

export type Purpose = typeof Purpose.Type

/** How long a token lives unless `mint` is told otherwise: an hour. */
export const lifetime = Duration.seconds(3600)

/** Mints and redeems tokens; each one works once, for one purpose, before it expires. */
export class Tokens extends Context.Tag("effect-framework/auth/Tokens")<
  Tokens,
  {
    /** A fresh token; every other one of the same user and purpose dies. */
    readonly mint: (
      user: AccountId,
      purpose: Purpose,
      ttl?: Duration.DurationInput
    ) => Effect.Effect<Token, InvalidGrant>
    /** The owner, exactly once; nothing for a token that is wrong, spent or late. */
    readonly redeem: (token: Redacted.Redacted, purpose: Purpose) => Effect.Effect<Option.Option<AccountId>>
    /** The owner that `redeem` would give; consumes nothing. */
    readonly owner: (token: Redacted.Redacted, purpose: Purpose) => Effect.Effect<Option.Option<AccountId>>
    /** Whether `redeem` would succeed; consumes nothing. */
    readonly check: (token: Redacted.Redacted, purpose: Purpose) => Effect.Effect<boolean>
    /** Drops the user's tokens, of one purpose or of all; how many there were. */
    readonly revoke: (user: AccountId, purpose?: Purpose) => Effect.Effect<number>
    /** Drops what has expired; how many there were. */
    readonly sweep: Effect.Effect<number>
  }
>() {}

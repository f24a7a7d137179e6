// Single-use action tokens: proof of an e-mail address, or of the right to reset a password or to report a change.
import { Context, type Duration, type Effect, type Option, type Redacted, Schema } from "effect"
import type { AccountId } from "../session/Identity.ts"

/**
 * What a token proves: an address (`verification`), the right to choose a new password (`recovery`), or to say that a change
 * or a sign-in was not theirs (`not_me`).
 *
 * @example
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Tokens } from "effect-framework/auth"
 * import type { Identity } from "effect-framework/session"
 *
 * // The purpose is an argument of a command: every other word is refused.
 * export const withdraw = (user: Identity.AccountId, purpose: string) =>
 *   Effect.gen(function* () {
 *     const tokens = yield* Tokens.Tokens
 *     return yield* tokens.revoke(user, yield* Schema.decodeUnknown(Tokens.Purpose)(purpose))
 *   })
 * ```
 */
export const Purpose = Schema.Literal("recovery", "verification", "not_me")

export type Purpose = typeof Purpose.Type

/** A new token. The store keeps its digest only, so the value is available only here. */
export interface Token {
  /** `selector.verifier` */
  readonly value: Redacted.Redacted
  readonly user: AccountId
}

/** Whose a token is, and since when what it is about has happened, in epoch seconds. */
export interface Owner {
  readonly user: AccountId
  readonly since: number
}

/**
 * A token needs a user, and a lifetime of at least a second.
 *
 * @example
 * ```ts
 * import { Effect, Redacted } from "effect"
 * import { AuthConfig, Tokens } from "effect-framework/auth"
 * import type { Identity } from "effect-framework/session"
 *
 * // The link by which an invited person chooses a password. A token that cannot be requested is a mistake of the program.
 * export const invitation = (user: Identity.AccountId) =>
 *   Effect.gen(function* () {
 *     const { appUrl } = yield* AuthConfig.AuthConfig
 *     const tokens = yield* Tokens.Tokens
 *     const { value } = yield* tokens.mint(user, "recovery", "3 days")
 *     return Redacted.make(`${appUrl}/reset/${Redacted.value(value).replace(".", "/")}`)
 *   }).pipe(Effect.catchTag("InvalidTokenRequest", (mistake: Tokens.InvalidTokenRequest) => Effect.die(mistake)))
 * ```
 */
export class InvalidTokenRequest extends Schema.TaggedError<InvalidTokenRequest>(
  "effect-framework/auth/InvalidTokenRequest"
)("InvalidTokenRequest", { user: Schema.String, seconds: Schema.Number }) {
  override get message() {
    return this.user === "" ? "A token needs a user." : `A token must live for at least 1 s, not ${this.seconds} s.`
  }
}

/**
 * Mints and redeems tokens; each one works once, for one purpose, before it expires.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Tokens } from "effect-framework/auth"
 * import type { Identity } from "effect-framework/session"
 *
 * export const program = (user: Identity.AccountId) =>
 *   Effect.gen(function* () {
 *     const tokens = yield* Tokens.Tokens
 *     const { value } = yield* tokens.mint(user, "recovery", "1 hour")
 *     return yield* tokens.redeem(value, "recovery") // Some(user), once
 *   })
 * ```
 */
export class Tokens extends Context.Tag("effect-framework/auth/Tokens")<
  Tokens,
  {
    /**
     * A new token; any other of the same user and purpose becomes invalid, except of `not_me`: those work side by side.
     * `since` is the time of what the token is about, in epoch seconds; now by default.
     */
    readonly mint: (
      user: AccountId,
      purpose: Purpose,
      ttl?: Duration.DurationInput,
      since?: number
    ) => Effect.Effect<Token, InvalidTokenRequest>
    /** The owner, exactly once; `None` for a token that is wrong, used or expired. */
    readonly redeem: (token: Redacted.Redacted, purpose: Purpose) => Effect.Effect<Option.Option<AccountId>>
    /** The owner that `redeem` would return, and the `since` of the token; does not consume it. */
    readonly owner: (token: Redacted.Redacted, purpose: Purpose) => Effect.Effect<Option.Option<Owner>>
    /** Whether `redeem` would succeed; does not consume the token. */
    readonly check: (token: Redacted.Redacted, purpose: Purpose) => Effect.Effect<boolean>
    /** Deletes the user's tokens of one purpose or of all, or those that are about this time or later; returns how many. */
    readonly revoke: (user: AccountId, purpose?: Purpose, since?: number) => Effect.Effect<number>
    /** Deletes expired tokens; returns how many. */
    readonly sweep: Effect.Effect<number>
  }
>() {}

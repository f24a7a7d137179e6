// Personal API tokens: named secrets with scopes and an expiry, for programs that act for a person.
import type { TooManyApiTokens } from "./internal/ApiTokenRules.ts"
import { Context, type Duration, type Effect, type Option, type Redacted } from "effect"
import type { AccountId, Identity } from "../session/Identity.ts"
import type { InvalidTokenRequest } from "./Tokens.ts"

export type { TooManyApiTokens } from "./internal/ApiTokenRules.ts"

/** A token, as shown to its owner. */
export interface ApiToken {
  /** Identifies the token in a form or a log; it grants no access. */
  readonly handle: string
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly created: number
  /** Epoch seconds, exact to a minute; `undefined` before the first use. */
  readonly lastUsed: number | undefined
  readonly expires: number
}

/** A token that was just made. The store keeps the digest of its secret only, so the secret is available only here. */
export interface NewApiToken extends ApiToken {
  readonly secret: Redacted.Redacted
}

/** What a valid token grants. */
export interface ApiGrant {
  readonly identity: Identity
  readonly handle: string
  readonly scopes: ReadonlySet<string>
}

/** The name of a token, its scopes, and how long it lives; 90 days unless stated. */
export interface Wanted {
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly ttl?: Duration.DurationInput
}

/** Makes, checks and revokes API tokens; a revoked one is refused by every worker from its next request on. */
export class ApiTokens extends Context.Tag("effect-framework/auth/ApiTokens")<
  ApiTokens,
  {
    /** A new token; fails when the account has 50 already. */
    readonly create: (
      user: AccountId,
      wanted: Wanted
    ) => Effect.Effect<NewApiToken, InvalidTokenRequest | TooManyApiTokens>
    /** What the token grants; `None` when it is malformed, unknown, revoked or expired. Records its use. */
    readonly verify: (secret: Redacted.Redacted) => Effect.Effect<Option.Option<ApiGrant>>
    /** The valid tokens of the user, the newest first. */
    readonly list: (user: AccountId) => Effect.Effect<ReadonlyArray<ApiToken>>
    /** Revokes one token of the user by its handle; `false` when there is none. */
    readonly revoke: (user: AccountId, handle: string) => Effect.Effect<boolean>
    /** Revokes every token of the user, or those that were made since this time; returns how many. */
    readonly revokeAll: (user: AccountId, since?: number) => Effect.Effect<number>
    /** Deletes expired tokens; returns how many. */
    readonly sweep: Effect.Effect<number>
  }
>() {}

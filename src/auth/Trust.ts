// Trusted devices: one series per device, whose validator changes with every use, so that a stolen copy is detected.
import { Context, type Duration, type Effect, type Option, type Redacted, Schema, type Scope } from "effect"
import type { State as RequestState } from "../http/internal/RequestState.ts"
import { AccountId } from "../session/Identity.ts"
import type { InvalidTokenRequest, Token } from "./Tokens.ts"
import type { DeviceInfo } from "../session/Session.ts"

/**
 * A validator was used twice: the cookie was stolen. All devices and sessions of the user were revoked.
 *
 * @example
 * ```ts
 * import { Effect, Option, type Redacted } from "effect"
 * import { Trust } from "effect-framework/auth"
 *
 * // In a guard of one's own: every session and device of the account has ended already, those of the thief as well.
 * export const resumed = (token: Redacted.Redacted) =>
 *   Effect.flatMap(Trust.Trust, (trust) => trust.rotate(token)).pipe(
 *     Effect.catchTag("Theft", ({ revoked, user }: Trust.Theft) =>
 *       Effect.as(Effect.logWarning(`${revoked} devices of ${user} are no longer trusted`), Option.none())
 *     )
 *   )
 * ```
 */
export class Theft extends Schema.TaggedError<Theft>("effect-framework/auth/Theft")("Theft", {
  user: AccountId,
  /** How many devices were revoked; 0 where another request has found the same theft first. */
  revoked: Schema.optionalWith(Schema.Int, { default: () => 0 })
}) {
  override get message() {
    return "A remember token was used twice."
  }
}

/** A trusted device, as shown to its owner. */
export interface Device {
  /** Identifies the series in a form; it grants no access without its validator. */
  readonly selector: string
  readonly created: number
  readonly lastUsed: number
  readonly device: DeviceInfo
}

/** A rotated token, and the revocation number at which it was checked: any later revocation undoes the sign-in. */
export interface Resumption {
  readonly token: Token
  readonly asOf: number
}

/**
 * Remembers devices; a replayed validator counts as theft and revokes every series of the account.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Trust } from "effect-framework/auth"
 * import type { Identity } from "effect-framework/session"
 *
 * export const program = (user: Identity.AccountId) =>
 *   Effect.gen(function* () {
 *     const trust = yield* Trust.Trust
 *     const { value } = yield* trust.issue(user)
 *     const next = yield* trust.rotate(value)
 *     const replayed = yield* Effect.either(trust.rotate(value)) // Left(Theft)
 *     return { next, replayed }
 *   })
 * ```
 */
export class Trust extends Context.Tag("effect-framework/auth/Trust")<
  Trust,
  {
    /** A new series. */
    readonly issue: (
      user: AccountId,
      ttl?: Duration.DurationInput,
      device?: DeviceInfo
    ) => Effect.Effect<Token, InvalidTokenRequest>
    /** The same series with a new validator; `None` for an unknown, expired or malformed token, or when a concurrent request
     * has rotated it. */
    readonly rotate: (
      token: Redacted.Redacted,
      ttl?: Duration.DurationInput,
      device?: DeviceInfo
    ) => Effect.Effect<Option.Option<Token>, Theft>
    /**
     * The rotation for a request, in two phases: the new validator is returned now, and becomes current when the response
     * that carries it has been sent. Until then requests with the same token share it, and the series is unchanged if no
     * response can be sent. The scope is the request's: its exit tells whether the response was sent. `None` when
     * another process has rotated the token.
     */
    readonly resume: (
      token: Redacted.Redacted,
      state: RequestState,
      ttl?: Duration.DurationInput,
      device?: DeviceInfo
    ) => Effect.Effect<Option.Option<Resumption>, Theft, Scope.Scope>
    /** Deletes the series of this token, if its validator is current. */
    readonly forget: (token: Redacted.Redacted) => Effect.Effect<boolean>
    /** Deletes every series of the user; returns how many. */
    readonly revoke: (user: AccountId) => Effect.Effect<number>
    /** Deletes one series of the user by its selector. */
    readonly drop: (user: AccountId, selector: string) => Effect.Effect<boolean>
    /** The live series of the user, the most recently used first. */
    readonly list: (user: AccountId) => Effect.Effect<ReadonlyArray<Device>>
    /** Deletes expired series; returns how many. */
    readonly sweep: Effect.Effect<number>
  }
>() {}

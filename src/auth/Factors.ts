// Second factors: what an account proves after its password.
import type { FactorKind, InvalidEnrollment, TooManyFactors } from "./internal/factors/FactorRules.ts"
import { Context, type Effect, type Option, type Redacted } from "effect"
import type { AccountId, Identity } from "../session/Identity.ts"

export type { FactorKind, InvalidEnrollment, TooManyFactors } from "./internal/factors/FactorRules.ts"

/** What an account is asked for after its password; `kinds` is empty for an account without a factor. */
export interface RequiredFactors {
  readonly kinds: ReadonlyArray<FactorKind>
  /** Whether a trusted device is asked too. */
  readonly onEveryDevice: boolean
  /** Whether so many wrong codes came from unknown devices that the password signs in on known devices alone. */
  readonly isLocked: boolean
}

/** An authenticator app of an account, as shown to its owner. */
export interface Factor {
  /** Identifies the factor in a form; it grants no access. */
  readonly handle: string
  readonly name: string
  readonly created: number
  /** Epoch seconds of the last code that was accepted. */
  readonly lastUsed: number
}

/** A new authenticator app, before a code of it was seen. Nothing is stored yet. */
export interface FactorEnrollment {
  /** What the confirming form sends back: the secret, sealed for this account, for 15 minutes. */
  readonly enrollment: Redacted.Redacted
  /** The secret in base 32, for a person who cannot scan the picture. */
  readonly secret: Redacted.Redacted
  /** The `otpauth:` address that the picture contains. */
  readonly uri: Redacted.Redacted
  /** The QR code as SVG. */
  readonly picture: Redacted.Redacted
}

/** A confirmed factor, with the recovery codes when they were made for it. The store keeps their digests only. */
export interface ConfirmedFactor {
  readonly factor: Factor
  readonly recoveryCodes: ReadonlyArray<Redacted.Redacted>
}

/**
 * The authenticator apps and recovery codes of accounts; each code works once, also when it is sent twice at once.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Factors } from "effect-framework/auth"
 * import type { Identity } from "effect-framework/session"
 *
 * export const reminder = (user: Identity.AccountId) =>
 *   Effect.gen(function* () {
 *     const factors = yield* Factors.Factors
 *     const apps = yield* factors.list(user)
 *     if (apps.length === 0) return undefined
 *     const left = yield* factors.countRecoveryCodes(user)
 *     return left < 3 ? `You have ${left} recovery codes left: make new ones.` : undefined
 *   })
 * ```
 */
export class Factors extends Context.Tag("effect-framework/auth/Factors")<
  Factors,
  {
    /** What a sign-in of this account needs after the password. One statement. */
    readonly required: (user: AccountId) => Effect.Effect<RequiredFactors>
    /** The secret of a new authenticator app, to be confirmed with a code of it; that of `enrollment` while it is valid. */
    readonly begin: (user: Identity, enrollment?: Redacted.Redacted) => Effect.Effect<FactorEnrollment>
    /** Stores the factor. The first one of an account comes with ten recovery codes. */
    readonly confirm: (
      user: AccountId,
      enrollment: Redacted.Redacted,
      code: Redacted.Redacted,
      name: string
    ) => Effect.Effect<ConfirmedFactor, InvalidEnrollment | TooManyFactors>
    /** Uses a one-time code or a recovery code of this account; the kind that it was, or `None`. */
    readonly verify: (
      user: AccountId,
      code: Redacted.Redacted
    ) => Effect.Effect<Option.Option<Exclude<FactorKind, "passkey">>>
    /** Counts a wrong code from a device that the account does not know; 100 lock the password until it is reset. */
    readonly countWrongCode: (user: AccountId) => Effect.Effect<void>
    /** The authenticator apps of the user, the oldest first. */
    readonly list: (user: AccountId) => Effect.Effect<ReadonlyArray<Factor>>
    /** Removes one authenticator app; the recovery codes go with the last one. `false` when there is none. */
    readonly remove: (user: AccountId, handle: string) => Effect.Effect<boolean>
    /**
     * Removes every authenticator app and recovery code, or those that were made since this time; the recovery codes go with the
     * last app. Returns how many apps.
     */
    readonly removeAll: (user: AccountId, since?: number) => Effect.Effect<number>
    /** Ten new recovery codes; the old ones stop working. */
    readonly renewRecoveryCodes: (user: AccountId) => Effect.Effect<ReadonlyArray<Redacted.Redacted>>
    /** How many recovery codes are left. */
    readonly countRecoveryCodes: (user: AccountId) => Effect.Effect<number>
    /** Whether the factor is asked for on trusted devices too; ignored for an account without one. */
    readonly askOnEveryDevice: (user: AccountId, asked: boolean) => Effect.Effect<void>
  }
>() {}

// Passkeys: WebAuthn credentials by which a person signs in without a name or a password.
import type { PasskeyRefused, TooManyPasskeys } from "./internal/passkeys/PasskeyRules.ts"
import { Context, type Effect } from "effect"
import type { AccountId, Identity } from "../session/Identity.ts"
import type { CreationOptions, RequestOptions } from "./internal/passkeys/PasskeyOptions.ts"
import type { Session } from "../session/Session.ts"

export type { CreationOptions, RequestOptions, Descriptor } from "./internal/passkeys/PasskeyOptions.ts"
export type { PasskeyRefused, TooManyPasskeys } from "./internal/passkeys/PasskeyRules.ts"

/** A passkey, as shown to its owner. */
export interface Passkey {
  /** Identifies the passkey in a form or a log; it grants no access. */
  readonly handle: string
  readonly name: string
  readonly created: number
  /** Epoch seconds; `undefined` before the first sign-in. */
  readonly lastUsed: number | undefined
  /** Whether a provider keeps a copy, so that it outlives the device. */
  readonly isSynced: boolean
}

/** The account that a passkey has proved, and the passkey. */
export interface Grant {
  readonly identity: Identity
  readonly handle: string
}

/** The name of a new passkey, and the JSON text of what the browser returned. */
export interface Made {
  readonly name: string
  readonly credential: string
}

/** What has asked for a challenge: a session, or a client without cookies by a secret that it was given with the challenge. */
export type Visit = Pick<Session, "secret">

/**
 * Enrols and verifies passkeys. Each challenge works once, for five minutes, in the session that asked for it.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Passkeys } from "effect-framework/auth"
 * import type { Identity } from "effect-framework/session"
 *
 * // Before something that a stolen session must not do: the browser signs these options, and sends the credential.
 * export const options = (visit: Passkeys.Visit, user: Identity.AccountId) =>
 *   Effect.flatMap(Passkeys.Passkeys, (passkeys) => passkeys.requestOptions(visit, user))
 *
 * export const isPresent = (visit: Passkeys.Visit, user: Identity.AccountId, credential: string) =>
 *   Effect.flatMap(Passkeys.Passkeys, (passkeys) => passkeys.verify(visit, credential, user)).pipe(
 *     Effect.as(true),
 *     Effect.catchTag("PasskeyRefused", ({ message }) => Effect.as(Effect.logWarning(message), false))
 *   )
 * ```
 */
export class Passkeys extends Context.Tag("effect-framework/auth/Passkeys")<
  Passkeys,
  {
    /** What a browser needs to make a passkey of this account. */
    readonly creationOptions: (user: Identity, visit: Visit) => Effect.Effect<CreationOptions>
    /** Stores the passkey that the browser of this session has made; an account has 20 at most. */
    readonly enroll: (
      user: AccountId,
      visit: Visit,
      made: Made
    ) => Effect.Effect<Passkey, PasskeyRefused | TooManyPasskeys>
    /** What a browser needs to use a passkey: any for a sign-in, or one of this account to confirm who is there. */
    readonly requestOptions: (visit: Visit, user?: AccountId) => Effect.Effect<RequestOptions>
    /** The account whose passkey has signed the challenge; with a user, no other account's counts. Records the use. */
    readonly verify: (visit: Visit, credential: string, user?: AccountId) => Effect.Effect<Grant, PasskeyRefused>
    /** The passkeys of the user, the newest first. */
    readonly list: (user: AccountId) => Effect.Effect<ReadonlyArray<Passkey>>
    /** Names one passkey of the user by its handle; `false` when there is none. */
    readonly rename: (user: AccountId, handle: string, name: string) => Effect.Effect<boolean>
    /** Removes one passkey of the user by its handle; `false` when there is none. */
    readonly remove: (user: AccountId, handle: string) => Effect.Effect<boolean>
    /** Removes every passkey of the user, or those that were added since this time; returns how many. */
    readonly removeAll: (user: AccountId, since?: number) => Effect.Effect<number>
    /** Deletes expired challenges; returns how many. */
    readonly sweep: Effect.Effect<number>
  }
>() {}

// Sign-ins whose password was right and whose second factor is still missing. Nothing of the account is reachable by one.
import { Context, type Effect, type Option, type Redacted } from "effect"
import type { AccountId } from "../../session/Identity.ts"
import type { Token } from "../Tokens.ts"
import type { Session } from "../../session/Session.ts"

/** A sign-in that waits for its factor. */
export interface PendingSignIn {
  readonly user: AccountId
  /** Whether the device is to be trusted once the sign-in is complete. */
  readonly remember: boolean
  /** How many more codes may be tried. */
  readonly triesLeft: number
  /** Epoch seconds. */
  readonly expires: number
  /** The revocation number at which the password was checked: any later revocation ends the sign-in. */
  readonly asOf: number
}

/** How a sign-in came to wait. */
export interface PendingOptions {
  readonly remember: boolean
  /** The session of the request that checked the password: its `trackRevocations` counts. */
  readonly request: Session
}

/**
 * Pending sign-ins as rows that all workers share: ten minutes and five tries each, counted in the row. The client holds
 * only the secret.
 *
 * Any factor ends a sign-in in the same three steps: `spend` counts the try before anything is checked, the factor proves
 * itself for `user` (`Factors.verify` for a code, the assertion for a passkey), and `complete` deletes the row. Only the
 * request that gets the row from `complete` may sign the account in, with `session.signIn(identity, asOf)`. Routes use
 * `FactorSignIn.attempt`, which does all of it and runs the hooks.
 */
export class PendingSignIns extends Context.Tag("effect-framework/auth/PendingSignIns")<
  PendingSignIns,
  {
    /** A new pending sign-in, and the secret for the client. */
    readonly begin: (user: AccountId, options: PendingOptions) => Effect.Effect<Token>
    /**
     * A new pending sign-in for a trusted device, whose cookie counts as the password, where its owner is asked for the
     * factor on every device; `None` where a trusted device signs in by itself. `asOf` is the number of the resumption.
     */
    readonly resume: (user: AccountId, asOf: number) => Effect.Effect<Option.Option<Token>>
    /** The pending sign-in of a secret; `None` when it is unknown, expired, used up or revoked. Counts nothing. */
    readonly find: (secret: Redacted.Redacted) => Effect.Effect<Option.Option<PendingSignIn>>
    /** Counts a try; `None` as for `find`, and of concurrent tries exactly as many pass as are left. */
    readonly spend: (secret: Redacted.Redacted) => Effect.Effect<Option.Option<PendingSignIn>>
    /** Ends the pending sign-in, exactly once; `None` when it is gone, or the account was revoked meanwhile. */
    readonly complete: (secret: Redacted.Redacted) => Effect.Effect<Option.Option<PendingSignIn>>
    /** Ends every pending sign-in of the user; `Sessions.revoke` does so too. */
    readonly revoke: (user: AccountId) => Effect.Effect<number>
    /** Deletes expired rows; returns how many. */
    readonly sweep: Effect.Effect<number>
  }
>() {}

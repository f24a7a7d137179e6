// Changes of an account that wait: a new address for its link, an old one for its undo, a deletion for its day.
import { Context, type Duration, type Effect, type Option, type Redacted } from "effect"
import type { AccountId, Identity } from "../../session/Identity.ts"
import type { InvalidTokenRequest, Token } from "../Tokens.ts"
import type { Duplicate } from "../Users.ts"

/** The account and the address that a link stands for. */
interface Addressed {
  readonly user: AccountId
  readonly email: string
}

/** A change that was made. */
interface Changed {
  /** The account with its new address. */
  readonly user: Identity
  /** The address that it had before. */
  readonly previous: string
  /** Restores that address; `None` when nobody had proved it, because it may be a stranger's. */
  readonly undo: Option.Option<Token>
}

/** A deletion whose day has come. */
interface DueDeletion {
  readonly user: AccountId
  /** The language that it was asked for in, as in `Accept-Language`; empty where that is unknown. */
  readonly language: string
}

/** An address that was restored. */
export interface Restored {
  readonly user: Identity
  /** Epoch seconds of the change that was undone. */
  readonly since: number
}

/** Stores what waits. A change and its undo are one transaction with the row of the account. */
export class AccountChanges extends Context.Tag("effect-framework/auth/AccountChanges")<
  AccountChanges,
  {
    /** A token for the mailbox of the new address; an earlier one of the account becomes invalid. Changes nothing yet. */
    readonly requestEmail: (
      user: AccountId,
      email: string,
      ttl: Duration.DurationInput
    ) => Effect.Effect<Token, InvalidTokenRequest>
    /** What `changeEmail` or `undoEmail` would do with this token; does not consume it. */
    readonly find: (token: Redacted.Redacted, kind: "email" | "undo") => Effect.Effect<Option.Option<Addressed>>
    /**
     * Gives the account the address of the token, verified, and invalidates the links of the old one; once. An old address
     * that was verified is kept for the account for as long as it can be restored, and a deletion waits for as long. Fails
     * when another account has the new one.
     */
    readonly changeEmail: (
      token: Redacted.Redacted,
      undoTtl: Duration.DurationInput
    ) => Effect.Effect<Option.Option<Changed>, Duplicate>
    /**
     * Restores the address of the token, whatever changes followed, and with it ends their undos, a pending change and a
     * deletion. `within` runs last, in the same transaction: it ends sessions, devices and the password.
     */
    readonly undoEmail: <E = never, R = never>(
      token: Redacted.Redacted,
      within?: (restored: Restored) => Effect.Effect<void, E, R>
    ) => Effect.Effect<Option.Option<Restored>, Duplicate | E, R>
    /**
     * Restores the address that the account had at this time, in epoch seconds, where it was changed since and that can be undone;
     * ends a change that waits in any case. `false` when the address was not changed.
     */
    readonly restoreEmail: (user: AccountId, since: number) => Effect.Effect<boolean, Duplicate>
    /** The change that waits for its link: the new address and, in epoch seconds, until when. */
    readonly pendingEmail: (
      user: AccountId
    ) => Effect.Effect<Option.Option<{ readonly email: string; readonly expires: number }>>
    /** Invalidates the token of a change that was not made yet. */
    readonly cancelEmail: (user: AccountId) => Effect.Effect<boolean>
    /**
     * Marks the account as to be deleted; returns when, in epoch seconds: never before an address can no longer be restored.
     * `language` is that of the person, for the message that follows the deletion.
     */
    readonly requestDeletion: (
      user: AccountId,
      grace: Duration.DurationInput,
      options?: { readonly language?: string }
    ) => Effect.Effect<number>
    /** When the account will be deleted, in epoch seconds. */
    readonly deletion: (user: AccountId) => Effect.Effect<Option.Option<number>>
    /** Keeps the account; `false` when it was not to be deleted. */
    readonly cancelDeletion: (user: AccountId) => Effect.Effect<boolean>
    /** Ends the change that waits, every right to undo one, and the deletion. */
    readonly endAll: (user: AccountId) => Effect.Effect<void>
    /** Deletions that are due, a hundred at most. */
    readonly due: Effect.Effect<ReadonlyArray<DueDeletion>>
    /** Takes a due deletion, in the caller's transaction: of several workers one gets `true`. */
    readonly claim: (user: AccountId) => Effect.Effect<boolean>
    /** Deletes expired tokens; returns how many. */
    readonly sweep: Effect.Effect<number>
  }
>() {}

// Recoveries of accounts whose owners have lost every factor. They wait, so that anyone who still has a factor can stop them.
import { Context, type Duration, type Effect, type Option, type Redacted } from "effect"
import type { AccountId, Identity } from "../../session/Identity.ts"
import type { Token } from "../Tokens.ts"

/** An open recovery of an account. */
export interface LostFactorRequest {
  readonly user: AccountId
  /** The address that it was requested for, and that gets its messages. */
  readonly email: string
  /** Epoch seconds from which it can be completed. */
  readonly ready: number
  /** Epoch seconds at which it ends. */
  readonly expires: number
  readonly state: "Waiting" | "Ready"
  /** The language that it was asked for in, as in `Accept-Language`; empty where that is unknown. */
  readonly language: string
}

/** A recovery that was asked for. */
interface Requested {
  readonly request: LostFactorRequest
  /** Cancels it; `None` when the account had an open recovery, which goes on. */
  readonly cancel: Option.Option<Token>
}

/** A recovery whose link is to be sent. */
interface Announced {
  readonly request: LostFactorRequest
  /** Completes it. */
  readonly token: Token
}

/** Stores recoveries, one for an account at most. A change of the address of the account ends its recovery. */
export class LostFactorRequests extends Context.Tag("effect-framework/auth/LostFactorRequests")<
  LostFactorRequests,
  {
    /**
     * Opens a recovery that can be completed after the delay, or returns the one that is open. `language` is that of the
     * person, for the message that has its link.
     */
    readonly request: (
      user: Identity,
      delay: Duration.DurationInput,
      options?: { readonly language?: string }
    ) => Effect.Effect<Requested>
    /** The open recovery of the account. */
    readonly find: (user: AccountId) => Effect.Effect<Option.Option<LostFactorRequest>>
    /** The open recovery of a link, which is not consumed: of the first or second message, or of the second alone. */
    readonly owner: (
      token: Redacted.Redacted,
      link: "any" | "complete"
    ) => Effect.Effect<Option.Option<LostFactorRequest>>
    /** Ends the recovery of the account; `false` when it has none. */
    readonly cancel: (user: AccountId) => Effect.Effect<boolean>
    /** Ends the recovery of a link, once: that of the first or the second message. */
    readonly cancelBy: (token: Redacted.Redacted) => Effect.Effect<Option.Option<AccountId>>
    /** Accounts whose recovery is ready and whose link was not made yet, a hundred at most. */
    readonly due: Effect.Effect<ReadonlyArray<AccountId>>
    /**
     * The link of a recovery that is ready, which works for seven days. Of several workers one gets it; with `again` a new
     * one takes the place of the old one.
     */
    readonly announce: (
      user: AccountId,
      options?: { readonly again?: boolean }
    ) => Effect.Effect<Option.Option<Announced>>
    /**
     * Ends a recovery that is ready, exactly once, and runs `within` in the same transaction: when it fails, the recovery
     * stays. `None` for a link that is wrong, used, early, cancelled or expired.
     */
    readonly complete: <E = never, R = never>(
      token: Redacted.Redacted,
      within: (user: AccountId) => Effect.Effect<void, E, R>
    ) => Effect.Effect<Option.Option<AccountId>, E, R>
    /** Deletes expired recoveries; returns how many. */
    readonly sweep: Effect.Effect<number>
  }
>() {}

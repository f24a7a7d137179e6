// The session of a request: a signed cookie for a guest, a database row for a signed-in user.
import { Context, type Effect, type Option, type Redacted } from "effect"
import type { openBearer, signIn } from "./internal/SessionGrants.ts"
import type { State } from "../http/internal/RequestState.ts"
import type { AccountId, Identity } from "./Identity.ts"

export type { State as RequestState } from "../http/internal/RequestState.ts"

/** The session of one request. It is read on first use, and written when the handler has ended. */
export interface Session {
  /** The signed-in account; `None` for a guest. */
  readonly identity: Effect.Effect<Option.Option<Identity>>
  readonly get: (key: string) => Effect.Effect<Option.Option<string>>
  readonly set: (key: string, value: string) => Effect.Effect<void>
  /** Reads a value and removes it, for messages that are shown once. */
  readonly pull: (key: string) => Effect.Effect<Option.Option<string>>
  /** Removes all data and signs out. */
  readonly flush: Effect.Effect<void>
  /** A new id and form secret for the same content, against session fixation. */
  readonly regenerate: Effect.Effect<void>
  /**
   * Regenerates, and signs this account in. The sign-in is dropped when the account was revoked since `trackRevocations`,
   * or since the revocation number `asOf`.
   */
  readonly [signIn]: (identity: Identity, asOf?: number) => Effect.Effect<void>
  /**
   * From here on, a revocation of the account undoes a `signIn` of this request. Call it before checking credentials (a
   * password, a remember token); the CSRF check does so for every POST. Call it again in a handler that has itself
   * revoked the account and now signs it in.
   */
  readonly trackRevocations: Effect.Effect<void>
  /** The 32 bytes behind the form tokens of this session; new after `regenerate`. */
  readonly secret: Effect.Effect<Uint8Array>
  /** The name of this session in `Sessions.list`; `None` for a guest. */
  readonly handle: Effect.Effect<Option.Option<string>>
  /**
   * The secret of a session without a cookie; `None` for a guest and where a cookie carries the session. After `regenerate`
   * or `signIn` it is a new one: the old one stops working, so the response has to contain it.
   */
  readonly bearer: Effect.Effect<Option.Option<BearerSession>>
  /** Where the request comes from. */
  readonly device: DeviceInfo
  /** The key of the row that the request came with, a digest that grants no access; empty for a guest. */
  readonly key: Effect.Effect<string>
  /** The number of the latest revocation that counts as seen; `undefined` before `trackRevocations`. */
  readonly seenRevocation: number | undefined
  /** Counts this revocation as seen: one by the request itself does not undo its own sign-in. */
  readonly acknowledge: (revocation: number) => void
  /** Whether the user was revoked since `trackRevocations`; `false` without one. */
  readonly isRevoked: (user: AccountId) => Effect.Effect<boolean>
  /** Whether the session that the request came with has ended meanwhile; `false` for a guest and for a new sign-in. */
  readonly hasEnded: Effect.Effect<boolean>
  /**
   * For a response that stays open: whether this session still lives, looked up each time it runs; `None` for a guest. It
   * neither prolongs the session nor reads a cookie again.
   */
  readonly liveness: Effect.Effect<Option.Option<Effect.Effect<boolean>>>
}

/** A session for a client without cookies. The secret is sent as `Authorization: Bearer …` and stored as a digest only. */
export interface BearerSession {
  readonly secret: Redacted.Redacted
  /** Epoch seconds at which it ends at the latest; unused for `sessionIdle` it ends before. */
  readonly expires: number
}

/** The request headers that a session reads: `Cookie` and `User-Agent`. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

/** The address and user agent of a device, as shown to its owner. */
export interface DeviceInfo {
  readonly address: string
  readonly userAgent: string
}

/** A signed-in session, as shown to its owner. */
export interface SessionInfo {
  /** Identifies the session in a form; it grants no access. */
  readonly handle: string
  readonly created: number
  readonly lastSeen: number
  readonly device: DeviceInfo
}

/**
 * Opens, commits, lists and ends sessions; any worker can end any signed-in session.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Trust } from "effect-framework/auth"
 * import { type Identity, Session } from "effect-framework/session"
 *
 * // For the staff, when somebody has lost a device: it signs out everywhere, and no device signs in by itself.
 * export const signOutEverywhere = (user: Identity.AccountId) =>
 *   Effect.gen(function* () {
 *     const sessions = yield* Session.Sessions
 *     const trust = yield* Trust.Trust
 *     yield* trust.revoke(user)
 *     return yield* sessions.revoke(user)
 *   })
 * ```
 */
export class Sessions extends Context.Tag("effect-framework/session/Sessions")<
  Sessions,
  {
    /** The session of this request, the same object on each call, and its `session`. Reads nothing yet. */
    readonly attach: (state: State, headers: RequestHeaders) => Session
    /**
     * The session of this secret, for a request whose `Authorization` header has one: its cookies do not count, and its
     * response sets no session cookie. A guest's session for a secret that is unknown, malformed or expired.
     */
    readonly attachBearer: (state: State, headers: RequestHeaders, secret: Redacted.Redacted) => Session
    /**
     * Opens a session for a client without cookies. `request` is the session of the request that asks for it: it gives the
     * device, and its `trackRevocations` counts, or the revocation number `asOf`. `None` when the account was revoked since
     * then. `data` is what the session holds from the start.
     */
    readonly [openBearer]: (
      identity: Identity,
      request?: Session,
      asOf?: number,
      data?: Readonly<Record<string, string>>
    ) => Effect.Effect<Option.Option<BearerSession>>
    /** Ends the user's sessions on every worker, except this one, and pending sign-ins; returns how many sessions. */
    readonly revoke: (user: AccountId, except?: Session) => Effect.Effect<number>
    /** Ends one session of the user by its handle. */
    readonly end: (user: AccountId, handle: string) => Effect.Effect<boolean>
    /** The live sessions of the user, the one seen last first. */
    readonly list: (user: AccountId) => Effect.Effect<ReadonlyArray<SessionInfo>>
    /** Deletes expired sessions; returns how many. */
    readonly sweep: Effect.Effect<number>
  }
>() {}

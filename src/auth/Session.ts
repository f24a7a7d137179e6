// The session of a request: a signed cookie for a guest, a row in the database for someone who is signed in.
import { Context, type Effect, type Option } from "effect"
import type { State } from "../http/Exchange.ts"
import type { AccountId, Identity } from "./Identity.ts"
import type { DeviceInfo } from "./Trust.ts"

/** Nothing is read before it is asked for, nothing is written before the handler has ended. */
export interface Session {
  /** Who is signed in. */
  readonly identity: Effect.Effect<Option.Option<Identity>>
  readonly get: (key: string) => Effect.Effect<Option.Option<string>>
  readonly set: (key: string, value: string) => Effect.Effect<void>
  /** Takes a value out: for what is shown once. */
  readonly pull: (key: string) => Effect.Effect<Option.Option<string>>
  /** Forgets everything, the identity too. */
  readonly flush: Effect.Effect<void>
  /** A new id (and form secret) for the same content: whoever knew the old id knows nothing now. */
  readonly regenerate: Effect.Effect<void>
  /**
   * Regenerates, and signs this account in. A sign-in whose evidence was revoked meanwhile comes to nothing: since
   * `witness`, or since `asOf` where the evidence itself says so.
   */
  readonly signIn: (identity: Identity, asOf?: number) => Effect.Effect<void>
  /**
   * From here on a revocation of the account undoes a `signIn` of this request. Called before evidence (a password, a
   * remember token) is looked at; the CSRF check has done so for every POST. Called again by a handler that has itself
   * revoked the account and now signs it in.
   */
  readonly trackRevocations: Effect.Effect<void>
  /** The secret that forms of this session carry, masked. 32 bytes, another one after `regenerate`. */
  readonly secret: Effect.Effect<Uint8Array>
  /** Names this session in `Sessions.list`; nothing for a guest. */
  readonly handle: Effect.Effect<Option.Option<string>>
}

/** The headers of a request: the cookies, and what the list of sessions shows. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

/** A signed-in session, as its owner may see it. */
export interface SessionInfo {
  /** Names the session in a form; it opens nothing. */
  readonly handle: string
  readonly created: number
  readonly lastSeen: number
  readonly place: DeviceInfo
}

/** Opens, commits, lists and ends sessions; those who are signed in can be ended from any worker. */
export class Sessions extends Context.Tag("effect-framework/auth/Sessions")<
  Sessions,
  {
    /** The session of this exchange, the same one each time. Reads nothing. */
    readonly attach: (exchange: State, headers: RequestHeaders) => Session
    /** The `Set-Cookie` line and the row that the session needs after its handler; nothing when it was not touched. */
    readonly commit: (exchange: State) => Effect.Effect<void> | undefined
    /** Takes the row of a sign-in of this exchange away again: no response will tell its id. */
    readonly discard: (exchange: State) => Effect.Effect<void>
    /** Ends the user's sessions, on every worker, but for the one that asks; how many there were. */
    readonly revoke: (user: AccountId, except?: Session) => Effect.Effect<number>
    /** Ends one session of the user by its handle. */
    readonly end: (user: AccountId, handle: string) => Effect.Effect<boolean>
    /** The live sessions of the user, the one seen last first. */
    readonly list: (user: AccountId) => Effect.Effect<ReadonlyArray<SessionInfo>>
    /** Whether the user was revoked since this session's `witness`; never without one. */
    readonly isRevoked: (user: AccountId, session: Session) => Effect.Effect<boolean>
    /** Drops what has expired; how many there were. */
    readonly sweep: Effect.Effect<number>
  }
>() {}

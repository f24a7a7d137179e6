// What a request knows of its session (where it came from, what it is now, what has changed), and how that is written when
// the request has ended: a cookie, a row, both or neither.
import { type Context, Duration, Effect } from "effect"
import * as BearerToken from "../../../src/session/internal/BearerToken.ts"
import * as CookiePolicy from "../../../src/session/internal/CookiePolicy.ts"
import type { AccountId, Identity } from "../../../src/session/Identity.ts"
import type { KeyRing } from "../../../src/session/internal/KeyRing.ts"
import type { Entropy } from "../../../src/session/internal/Entropy.ts"
import type { Settings } from "../../../src/session/internal/SessionConfig.ts"
import type { DeviceInfo } from "../../../src/session/Session.ts"
import type { State as RequestState } from "../../../src/http/internal/RequestState.ts"
import { sha256 } from "./Digest.ts"
import * as GuestCookie from "./GuestCookie.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import type { Revocations } from "./Revocations.ts"
import type { Row, SessionRows } from "./SessionRows.ts"

/** What the request came with. */
export type Origin = { readonly _tag: "None" } | { readonly _tag: "Guest" } | SignedIn

export interface SignedIn {
  readonly _tag: "SignedIn"
  readonly key: string
  readonly row: Row
  /** Whether the time of this use has to be written. */
  readonly isDue: boolean
}

/** What the session is now. `row` tells how the row of a member is written: unchanged, under a new key, or inserted. */
export type Standing =
  | { readonly _tag: "Guest"; readonly nonce: string | undefined }
  | {
      readonly _tag: "SignedIn"
      readonly id: string
      readonly identity: Identity
      readonly row: "Kept" | "Moved" | "New"
    }

export interface Content {
  readonly origin: Origin
  standing: Standing
  data: Map<string, string> | undefined
  readonly changes: Map<string, string | undefined>
  /** Whether the data from before the request was removed. */
  flushed: boolean
  /** Whether a guest's cookie has to be written. */
  changed: boolean
}

// A boundary: only `print` below writes this column.
const parse = (text: string): Map<string, string> => new Map(Object.entries(JSON.parse(text) as Record<string, string>))

const print = (data: ReadonlyMap<string, string>): string => JSON.stringify(Object.fromEntries(data))

export const dataOf = (content: Content): Map<string, string> =>
  (content.data ??= content.origin._tag === "SignedIn" ? parse(content.origin.row.data) : new Map())

export const write = (content: Content, key: string, value: string | undefined): void => {
  const data = dataOf(content)
  if (data.get(key) === value) return
  if (value === undefined) data.delete(key)
  else data.set(key, value)
  content.changes.set(key, value)
  content.changed = true
}

const rebase = (content: Content, row: Row): ReadonlyMap<string, string> => {
  const data = content.flushed ? new Map<string, string>() : parse(row.data)
  for (const [key, value] of content.changes) {
    if (value === undefined) data.delete(key)
    else data.set(key, value)
  }
  return data
}

const random = (entropy: Context.Tag.Service<Entropy>, size: number): string =>
  Buffer.from(entropy.bytes(size)).toString("base64url")

/** An id for the cookie of a member. */
export const newId = (entropy: Context.Tag.Service<Entropy>): string => random(entropy, 32)

/** An id for the `Authorization` header of a member. */
export const newBearer = (entropy: Context.Tag.Service<Entropy>): string =>
  BearerToken.print("session", entropy.bytes(BearerToken.secretBytes))

/** The value from which a guest's form secret is derived, created on first use. */
export const nonceOf = (content: Content, entropy: Context.Tag.Service<Entropy>): string => {
  if (content.standing._tag === "Guest" && content.standing.nonce !== undefined) return content.standing.nonce
  const nonce = random(entropy, 16)
  content.standing = { _tag: "Guest", nonce }
  content.changed = true
  return nonce
}

/** The services that all sessions share. */
export interface Shared {
  readonly settings: Settings
  readonly rows: SessionRows
  readonly keys: Context.Tag.Service<KeyRing>
  readonly entropy: Context.Tag.Service<Entropy>
  readonly revocations: Revocations
  /** Seconds between two writes of a session's last use. */
  readonly stampInterval: number
}

/** The facts of one request that its commit needs. */
export interface Writing {
  readonly shared: Shared
  readonly device: DeviceInfo
  /** The latest revocation that the sign-in has seen; `undefined` when it has read none. */
  readonly seenRevocation: number | undefined
  /** The cookies of the response; `undefined` where no cookie carries the session. */
  readonly cookies: RequestState["cookies"] | undefined
}

/** `stampInterval` for this idle limit: at most a minute, and half of the limit. */
export const stampInterval = (idle: Duration.Duration): number => Math.min(60, Math.floor(Duration.toSeconds(idle) / 2))

const maxAttempts = 5

/** Whether the user was revoked after the revocation of this number; `false` without a number. */
export const isRevoked = (shared: Shared, user: AccountId, seen: number | undefined): Effect.Effect<boolean> =>
  seen === undefined
    ? Effect.succeed(false)
    : Effect.map(shared.revocations.numberAfterWrite(user), (number) => number > seen)

const setCookie = ({ cookies, shared }: Writing, line: (name: string) => string): void => {
  const { sessionName } = shared.settings
  cookies?.set(sessionName, line(sessionName))
}

/** Whether the session has to be written: most requests only read it. */
export const isPending = ({ changed, changes, origin, standing }: Content): boolean => {
  if (standing._tag === "Guest") return changed
  if (standing.row === "New") return true
  return origin._tag === "SignedIn" && (standing.row === "Moved" || changes.size > 0 || origin.isDue)
}

/** Writes a session that is pending. */
export const commit = (content: Content, writing: Writing): Effect.Effect<void> => {
  const { origin, standing } = content
  if (standing._tag === "Guest") return writeGuest(content, standing.nonce, writing)
  if (standing.row === "New") return insert(content, standing.id, standing.identity, writing)
  if (origin._tag !== "SignedIn") return Effect.void
  if (standing.row === "Moved" || content.changes.size > 0) return update(content, origin, standing.id, writing)
  return stamp(origin, writing)
}

const writeGuest = Effect.fnUntraced(function* (content: Content, nonce: string | undefined, writing: Writing) {
  const { shared } = writing
  const { origin } = content
  if (origin._tag === "SignedIn") yield* shared.rows.remove(origin.key)
  if (writing.cookies === undefined) return
  const data = dataOf(content)
  if (nonce === undefined && data.size === 0) {
    if (origin._tag !== "None") setCookie(writing, CookiePolicy.expired)
    return
  }
  const guest = { nonce: nonceOf(content, shared.entropy), data }
  const value = GuestCookie.encode(guest, yield* shared.keys.ring, yield* EpochSeconds.seconds)
  setCookie(writing, (name) => CookiePolicy.session(name, value))
})

const insert = Effect.fnUntraced(function* (content: Content, id: string, identity: Identity, writing: Writing) {
  const { device, seenRevocation, shared } = writing
  const { origin } = content
  const key = sha256(id)
  yield* shared.rows.insert(key, identity.id, print(dataOf(content)), device, yield* EpochSeconds.seconds)
  if (origin._tag === "SignedIn") yield* shared.rows.remove(origin.key)
  if (yield* isRevoked(shared, identity.id, seenRevocation)) yield* shared.rows.remove(key)
  else setCookie(writing, (name) => CookiePolicy.session(name, id))
})

const update = Effect.fnUntraced(function* (content: Content, origin: SignedIn, id: string, writing: Writing) {
  const { shared } = writing
  const moved = sha256(id)
  let row = origin.row
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const now = yield* EpochSeconds.seconds
    const data = print(attempt === 1 ? dataOf(content) : rebase(content, row))
    const { absolute, version } = row
    if (yield* shared.rows.update({ key: origin.key, version, moved, data, absolute, now })) {
      if (moved === origin.key) return
      // A revocation that spares this session knows its old id: whoever has a copy of it must not take the row along.
      if (yield* isRevoked(shared, row.user, writing.seenRevocation)) return yield* shared.rows.remove(moved)
      return setCookie(writing, (name) => CookiePolicy.session(name, id))
    }
    // A concurrent request of the same session wrote first. Our changes are applied to its version, unless it deleted the row.
    const found = yield* shared.rows.reread(origin.key, now)
    if (found._tag === "None") return
    row = found.value
  }
  yield* Effect.logWarning("A session could not be written because of concurrent changes")
})

const stamp = ({ key, row }: SignedIn, { device, shared }: Writing): Effect.Effect<void> =>
  Effect.flatMap(EpochSeconds.seconds, (now) => shared.rows.touch(key, row.absolute, device, now))

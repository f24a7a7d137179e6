// Writes a session when its request has ended: a cookie, a row, both or neither.
import { type Context, Duration, Effect } from "effect"
import * as CookiePolicy from "../../src/auth/CookiePolicy.ts"
import type { AccountId, Identity } from "../../src/auth/Identity.ts"
import type { KeyRing } from "../../src/auth/KeyRing.ts"
import type { Entropy } from "../../src/auth/Secret.ts"
import type { Settings } from "../../src/auth/AuthSettings.ts"
import type { DeviceInfo } from "../../src/auth/Trust.ts"
import type { State as Exchange } from "../../src/http/Exchange.ts"
import { sha256 } from "./Digest.ts"
import * as GuestCookie from "./GuestCookie.ts"
import * as EpochSeconds from "./EpochSeconds.ts"
import type { Revocations } from "./Revocations.ts"
import { type Content, dataOf, type Member, nonceOf, print, rebase } from "./SessionContent.ts"
import type { SessionRows } from "./SessionRows.ts"

/** The services that all sessions share. */
export interface Shared {
  readonly settings: Settings
  readonly rows: SessionRows
  readonly keys: Context.Tag.Service<KeyRing>
  readonly entropy: Context.Tag.Service<Entropy>
  readonly revocations: Revocations
}

/** The facts of one request that its commit needs. */
export interface Writing {
  readonly shared: Shared
  readonly place: DeviceInfo
  /** The latest revocation that the sign-in has seen; `undefined` when it has read none. */
  readonly seenRevocation: number | undefined
  /** The cookies of the response. */
  readonly cookies: Exchange["cookies"]
}

/** Seconds between two writes of a session's last use: at most a minute, and half of its idle limit. */
export const stampInterval = (idle: Duration.Duration): number => Math.min(60, Math.floor(Duration.toSeconds(idle) / 2))

const maxAttempts = 5

/** Whether the user was revoked after the revocation of this number; `false` without a number. */
export const isRevoked = (shared: Shared, user: AccountId, seen: number | undefined): Effect.Effect<boolean> =>
  seen === undefined ? Effect.succeed(false) : Effect.map(shared.revocations.numberOf(user), (number) => number > seen)

const setCookie = ({ cookies, shared }: Writing, line: (name: string) => string): void => {
  const { sessionName } = shared.settings
  cookies.set(sessionName, line(sessionName))
}

/** The pending write; `undefined` when the session is unchanged. */
export const commit = (content: Content, writing: () => Writing): Effect.Effect<void> | undefined => {
  const { origin, standing } = content
  if (standing._tag === "Guest") return content.changed ? writeGuest(content, standing.nonce, writing()) : undefined
  if (standing.row === "New") return insert(content, standing.id, standing.identity, writing())
  if (origin._tag !== "Member") return undefined
  if (standing.row === "Moved" || content.changes.size > 0) return update(content, origin, standing.id, writing())
  return origin.isDue ? stamp(origin, writing()) : undefined
}

const writeGuest = Effect.fnUntraced(function* (content: Content, nonce: string | undefined, writing: Writing) {
  const { shared } = writing
  const { origin } = content
  if (origin._tag === "Member") yield* shared.rows.remove(origin.key)
  const data = dataOf(content)
  if (nonce === undefined && data.size === 0) {
    if (origin._tag !== "Nothing") setCookie(writing, CookiePolicy.expired)
    return
  }
  const guest = { nonce: nonceOf(content, shared.entropy), data }
  const value = GuestCookie.encode(guest, yield* shared.keys.ring, yield* EpochSeconds.seconds)
  setCookie(writing, (name) => CookiePolicy.session(name, value))
})

const insert = Effect.fnUntraced(function* (content: Content, id: string, identity: Identity, writing: Writing) {
  const { place, seenRevocation, shared } = writing
  const { origin } = content
  const key = sha256(id)
  yield* shared.rows.insert(key, identity.id, print(dataOf(content)), place, yield* EpochSeconds.seconds)
  if (origin._tag === "Member") yield* shared.rows.remove(origin.key)
  if (yield* isRevoked(shared, identity.id, seenRevocation)) yield* shared.rows.remove(key)
  else setCookie(writing, (name) => CookiePolicy.session(name, id))
})

const update = Effect.fnUntraced(function* (content: Content, origin: Member, id: string, writing: Writing) {
  const { shared } = writing
  const moved = sha256(id)
  let row = origin.row
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const now = yield* EpochSeconds.seconds
    const data = print(attempt === 1 ? dataOf(content) : rebase(content, row))
    const { absolute, version } = row
    if (yield* shared.rows.update({ key: origin.key, version, moved, data, absolute, now })) {
      if (moved !== origin.key) setCookie(writing, (name) => CookiePolicy.session(name, id))
      return
    }
    // A concurrent request of the same session wrote first. Our changes are applied to its version, unless it deleted the row.
    const found = yield* shared.rows.reread(origin.key, now)
    if (found._tag === "None") return
    row = found.value
  }
  yield* Effect.logWarning("A session could not be written because of concurrent changes")
})

const stamp = ({ key, row }: Member, { place, shared }: Writing): Effect.Effect<void> =>
  Effect.flatMap(EpochSeconds.seconds, (now) => shared.rows.touch(key, row.absolute, place, now))

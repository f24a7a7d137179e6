// What a session leaves behind when its request has ended: a cookie, a row, both or nothing.
import { type Context, Duration, Effect } from "effect"
import * as CookiePolicy from "../../src/auth/CookiePolicy.ts"
import type { AccountId, Identity } from "../../src/auth/Identity.ts"
import type { KeyRing } from "../../src/auth/KeyRing.ts"
import type { Entropy } from "../../src/auth/Secret.ts"
import type { Settings } from "../../src/auth/AuthSettings.ts"
import type { DeviceInfo } from "../../src/auth/Trust.ts"
import { sha256 } from "./Digest.ts"
import * as GuestCookie from "./GuestCookie.ts"
import * as EpochSeconds from "./EpochSeconds.ts"
import type { Revocations } from "./Revocations.ts"
import { type Content, dataOf, type Member, nonceOf, print, rebase } from "./SessionContent.ts"
import type { SessionRows } from "./SessionRows.ts"

/** What all sessions of a program share. */
export interface Shared {
  readonly settings: Settings
  readonly rows: SessionRows
  readonly keys: Context.Tag.Service<KeyRing>
  readonly entropy: Context.Tag.Service<Entropy>
  readonly revocations: Revocations
}

/** What the commit of one request needs to know, and where its cookie goes. */
export interface Writing {
  readonly shared: Shared
  readonly place: DeviceInfo
  readonly isRevoked: (user: AccountId) => Effect.Effect<boolean>
  readonly send: (line: (name: string) => string) => void
}

/** A session's last use is written at most this often, and often enough for its idle limit. */
export const stampInterval = (idle: Duration.Duration): number => Math.min(60, Math.floor(Duration.toSeconds(idle) / 2))

const maxAttempts = 5

/** What has to be written; nothing when nothing has. */
export const commit = (content: Content, writing: () => Writing): Effect.Effect<void> | undefined => {
  const { origin, standing } = content
  if (standing._tag === "Guest") return content.changed ? leaveGuest(content, standing.nonce, writing()) : undefined
  if (standing.row === "New") return enter(content, standing.id, standing.identity, writing())
  if (origin._tag !== "Member") return undefined
  if (standing.row === "Moved" || content.changes.size > 0) return update(content, origin, standing.id, writing())
  return origin.isDue ? stamp(origin, writing()) : undefined
}

const leaveGuest = Effect.fnUntraced(function* (content: Content, nonce: string | undefined, writing: Writing) {
  const { send, shared } = writing
  const { origin } = content
  if (origin._tag === "Member") yield* shared.rows.remove(origin.key)
  const data = dataOf(content)
  if (nonce === undefined && data.size === 0) {
    if (origin._tag !== "Nothing") send(CookiePolicy.expired)
    return
  }
  const guest = { nonce: nonceOf(content, shared.entropy), data }
  const value = GuestCookie.encode(guest, yield* shared.keys.ring, yield* EpochSeconds.seconds)
  send((name) => CookiePolicy.session(name, value))
})

const enter = Effect.fnUntraced(function* (content: Content, id: string, identity: Identity, writing: Writing) {
  const { isRevoked, place, send, shared } = writing
  const { origin } = content
  const key = sha256(id)
  yield* shared.rows.insert(key, identity.id, print(dataOf(content)), place, yield* EpochSeconds.seconds)
  if (origin._tag === "Member") yield* shared.rows.remove(origin.key)
  if (yield* isRevoked(identity.id)) yield* shared.rows.remove(key)
  else send((name) => CookiePolicy.session(name, id))
})

const update = Effect.fnUntraced(function* (content: Content, origin: Member, id: string, writing: Writing) {
  const { send, shared } = writing
  const moved = sha256(id)
  let row = origin.row
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const now = yield* EpochSeconds.seconds
    const data = print(attempt === 1 ? dataOf(content) : rebase(content, row))
    const { absolute, version } = row
    if (yield* shared.rows.update({ key: origin.key, version, moved, data, absolute, now })) {
      if (moved !== origin.key) send((name) => CookiePolicy.session(name, id))
      return
    }
    // Another request of the same session was quicker. Our changes go on top of its own, unless it ended the row.
    const found = yield* shared.rows.reread(origin.key, now)
    if (found._tag === "None") return
    row = found.value
  }
  yield* Effect.logWarning("A session was too busy to be written")
})

const stamp = ({ key, row }: Member, { place, shared }: Writing): Effect.Effect<void> =>
  Effect.flatMap(EpochSeconds.seconds, (now) => shared.rows.touch(key, row.absolute, place, now))

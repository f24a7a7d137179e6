// The session of one request: read when it is first asked something, written once when the handler has ended.
import { Clock, type Context, Duration, Effect, Option } from "effect"
import * as CookiePolicy from "../../src/auth/CookiePolicy.ts"
import type { AccountId, Identity } from "../../src/auth/Identity.ts"
import type { Keys } from "../../src/auth/Keys.ts"
import type { Entropy } from "../../src/auth/Secret.ts"
import type { Headers, Session } from "../../src/auth/Session.ts"
import type { Values } from "../../src/auth/Settings.ts"
import type { Place } from "../../src/auth/Trust.ts"
import type { State as Exchange } from "../../src/http/Exchange.ts"
import { derive, sha256 } from "./Digest.ts"
import * as GuestCookie from "./GuestCookie.ts"
import * as Now from "./Now.ts"
import type { Revocations } from "./Revocations.ts"
import type { Row, SessionRows } from "./SessionRows.ts"

/** What all sessions of a program share. */
export interface Shared {
  readonly settings: Values
  readonly rows: SessionRows
  readonly keys: Context.Tag.Service<Keys>
  readonly entropy: Context.Tag.Service<Entropy>
  readonly revocations: Revocations
}

/** What the request came with. */
type Origin =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Guest" }
  | { readonly _tag: "Member"; readonly key: string; readonly row: Row; readonly read: number }

/** What it is now: `row` says how the row of a member comes to be. */
type Standing =
  | { readonly _tag: "Guest"; readonly nonce: string | undefined }
  | {
      readonly _tag: "Member"
      readonly id: string
      readonly identity: Identity
      readonly row: "Kept" | "Moved" | "New"
    }

interface Content {
  readonly origin: Origin
  standing: Standing
  data: Map<string, string> | undefined
  readonly changes: Map<string, string | undefined>
  /** Whether what was there before was thrown away. */
  flushed: boolean
  /** Whether a guest's cookie has to be written. */
  changed: boolean
}

// An id in a cookie: 256 bits in base64url. What a guest carries holds dots and never looks like this.
const memberId = /^[A-Za-z0-9_-]{43}$/

/** A session's last use is written at most this often, and often enough for its idle limit. */
export const stampInterval = (idle: Duration.Duration): number => Math.min(60, Math.floor(Duration.toSeconds(idle) / 2))

const maxAttempts = 5

/** A public name for a session that neither opens it nor finds its row. */
export const handleOf = (key: string): string => sha256(`handle\0${key}`).slice(0, 32)

export class RequestSession implements Session {
  readonly #shared: Shared
  readonly #exchange: Exchange
  readonly #headers: Headers
  #content: Content | undefined = undefined
  #horizon: number | undefined = undefined

  constructor(shared: Shared, exchange: Exchange, headers: Headers) {
    this.#shared = shared
    this.#exchange = exchange
    this.#headers = headers
  }

  get identity(): Effect.Effect<Option.Option<Identity>> {
    return this.#with(({ standing }) => (standing._tag === "Member" ? Option.some(standing.identity) : Option.none()))
  }

  get(key: string) {
    return this.#with((content) => Option.fromNullable(dataOf(content).get(key)))
  }

  set(key: string, value: string) {
    return this.#with((content) => void write(content, key, value))
  }

  pull(key: string) {
    return this.#with((content) => {
      const value = dataOf(content).get(key)
      write(content, key, undefined)
      return Option.fromNullable(value)
    })
  }

  get flush(): Effect.Effect<void> {
    return this.#with((content) => {
      content.data = new Map()
      content.changes.clear()
      content.flushed = true
      content.changed = true
      if (content.standing._tag === "Member") content.standing = { _tag: "Guest", nonce: undefined }
    })
  }

  get regenerate(): Effect.Effect<void> {
    return this.#with((content) => {
      const { standing } = content
      content.changed = true
      content.standing =
        standing._tag === "Guest"
          ? { _tag: "Guest", nonce: undefined }
          : { ...standing, id: this.#random(32), row: standing.row === "New" ? "New" : "Moved" }
    })
  }

  signIn(identity: Identity): Effect.Effect<void> {
    const install = this.#with((content) => {
      const { standing } = content
      // What one account left here is not for the next one.
      if (standing._tag === "Member" && standing.identity.id !== identity.id) {
        content.data = new Map()
        content.changes.clear()
      }
      content.standing = { _tag: "Member", id: this.#random(32), identity, row: "New" }
    })
    return this.#horizon === undefined ? Effect.zipRight(this.witness, install) : install
  }

  get witness(): Effect.Effect<void> {
    return Effect.map(this.#shared.revocations.latest, (number) => {
      this.#horizon = number
    })
  }

  get secret(): Effect.Effect<Uint8Array> {
    return this.#with((content) => {
      const { standing } = content
      return derive("csrf", standing._tag === "Member" ? standing.id : this.#nonce(content))
    })
  }

  get handle(): Effect.Effect<Option.Option<string>> {
    return this.#with(({ standing }) =>
      standing._tag === "Member" ? Option.some(handleOf(sha256(standing.id))) : Option.none()
    )
  }

  /** The row that this request came with, for whoever spares it. */
  get key(): Effect.Effect<string> {
    return this.#with(({ origin }) => (origin._tag === "Member" ? origin.key : ""))
  }

  /** What this request revokes itself does not undo its own sign-in. */
  acknowledge(number: number): void {
    this.#horizon = Math.max(this.#horizon ?? 0, number)
  }

  isRevoked(user: AccountId): Effect.Effect<boolean> {
    const horizon = this.#horizon
    if (horizon === undefined) return Effect.succeed(false)
    return Effect.map(this.#shared.revocations.numberOf(user), (number) => number > horizon)
  }

  /** What has to be written now; nothing when nothing has. */
  commit(): Effect.Effect<void> | undefined {
    const content = this.#content
    if (content === undefined) return undefined
    const { origin, standing } = content
    if (standing._tag === "Guest") return content.changed ? this.#commitGuest(content, standing.nonce) : undefined
    if (standing.row === "New") return this.#enter(content, standing.id, standing.identity)
    if (origin._tag !== "Member") return undefined
    if (standing.row === "Moved" || content.changes.size > 0) return this.#commitMember(content, origin, standing.id)
    return this.#isDue(origin) ? this.#stamp(origin) : undefined
  }

  #with<A>(use: (content: Content) => A): Effect.Effect<A> {
    const content = this.#content
    return content === undefined ? Effect.map(this.#load(), use) : Effect.sync(() => use(content))
  }

  #load(): Effect.Effect<Content> {
    const { settings } = this.#shared
    const cookie = CookiePolicy.read(this.#headers["cookie"], settings.sessionName)
    if (cookie === undefined) return Effect.sync(() => this.#begin({ _tag: "Nothing" }))
    return Effect.flatMap(Clock.currentTimeMillis, (millis) => {
      const now = Math.floor(millis / 1000)
      return memberId.test(cookie) ? this.#loadMember(cookie, now) : this.#loadGuest(cookie, now)
    })
  }

  #loadMember(id: string, now: number): Effect.Effect<Content> {
    const key = sha256(id)
    return Effect.map(this.#shared.rows.read(key, now), (found) => {
      if (found._tag === "None") return this.#begin({ _tag: "Nothing" })
      const row = found.value
      const identity: Identity = { id: row.user, email: row.email, verified: row.verified !== null }
      const standing: Standing = { _tag: "Member", id, identity, row: "Kept" }
      return this.#begin({ _tag: "Member", key, row, read: now }, standing)
    })
  }

  #loadGuest(cookie: string, now: number): Effect.Effect<Content> {
    return Effect.map(this.#shared.keys.ring, (ring) => {
      const guest = GuestCookie.decode(cookie, ring, now, this.#shared.settings.sessionTtl)
      if (guest === undefined) return this.#begin({ _tag: "Nothing" })
      return this.#begin({ _tag: "Guest" }, { _tag: "Guest", nonce: guest.nonce }, new Map(guest.data))
    })
  }

  // Two fibers of one request may both have been reading: the first one counts.
  #begin(
    origin: Origin,
    standing: Standing = { _tag: "Guest", nonce: undefined },
    data?: Map<string, string>
  ): Content {
    return (this.#content ??= { origin, standing, data, changes: new Map(), flushed: false, changed: false })
  }

  #nonce(content: Content): string {
    if (content.standing._tag === "Guest" && content.standing.nonce !== undefined) return content.standing.nonce
    const nonce = this.#random(16)
    content.standing = { _tag: "Guest", nonce }
    content.changed = true
    return nonce
  }

  #random(size: number): string {
    return Buffer.from(this.#shared.entropy.bytes(size)).toString("base64url")
  }

  get #place(): Place {
    return { peer: this.#exchange.peer, agent: this.#headers["user-agent"] ?? "" }
  }

  #send(line: (name: string) => string): void {
    const { sessionName } = this.#shared.settings
    this.#exchange.cookies.set(sessionName, line(sessionName))
  }

  #commitGuest(content: Content, nonce: string | undefined): Effect.Effect<void> {
    const { origin } = content
    const write = Effect.gen(this, function* () {
      const data = dataOf(content)
      if (nonce === undefined && data.size === 0) {
        if (origin._tag !== "Nothing") this.#send(CookiePolicy.expired)
        return
      }
      const guest = { nonce: nonce ?? this.#nonce(content), data }
      const value = GuestCookie.encode(guest, yield* this.#shared.keys.ring, yield* Now.seconds)
      this.#send((name) => CookiePolicy.session(name, value))
    })
    return origin._tag === "Member" ? Effect.zipRight(this.#shared.rows.remove(origin.key), write) : write
  }

  #enter(content: Content, id: string, identity: Identity): Effect.Effect<void> {
    const { rows } = this.#shared
    const { origin } = content
    const key = sha256(id)
    return Effect.gen(this, function* () {
      const now = yield* Now.seconds
      yield* rows.insert(key, identity.id, print(dataOf(content)), this.#place, now)
      if (origin._tag === "Member") yield* rows.remove(origin.key)
      if (yield* this.isRevoked(identity.id)) yield* rows.remove(key)
      else this.#send((name) => CookiePolicy.session(name, id))
    })
  }

  #commitMember(content: Content, origin: Origin & { _tag: "Member" }, id: string): Effect.Effect<void> {
    const { rows } = this.#shared
    const moved = sha256(id)
    return Effect.gen(this, function* () {
      let row: Row = origin.row
      for (let attempt = 1; attempt <= maxAttempts; attempt++) {
        const now = yield* Now.seconds
        const data = print(attempt === 1 ? dataOf(content) : rebase(content, row))
        const { absolute, version } = row
        if (yield* rows.update({ key: origin.key, version, moved, data, absolute, now })) {
          if (moved !== origin.key) this.#send((name) => CookiePolicy.session(name, id))
          return
        }
        // Another request of the same session was quicker. Our changes go on top of its own, unless it ended the row.
        const found = yield* rows.reread(origin.key, now)
        if (found._tag === "None") return
        row = found.value
      }
      yield* Effect.logWarning("A session was too busy to be written")
    })
  }

  #isDue({ read, row }: Origin & { _tag: "Member" }): boolean {
    return read - row.last_seen >= stampInterval(this.#shared.settings.sessionIdle)
  }

  #stamp({ key, row }: Origin & { _tag: "Member" }): Effect.Effect<void> {
    return Effect.flatMap(Now.seconds, (now) => this.#shared.rows.touch(key, row.absolute, this.#place, now))
  }
}

// A boundary: nothing but `print` below writes this column.
const parse = (text: string): Map<string, string> => new Map(Object.entries(JSON.parse(text) as Record<string, string>))

const print = (data: ReadonlyMap<string, string>): string => JSON.stringify(Object.fromEntries(data))

const dataOf = (content: Content): Map<string, string> =>
  (content.data ??= content.origin._tag === "Member" ? parse(content.origin.row.data) : new Map())

const write = (content: Content, key: string, value: string | undefined): void => {
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

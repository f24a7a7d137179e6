// The session of one request: read on first use, written once when the handler has ended.
import { signIn } from "../../../src/session/internal/SessionGrants.ts"
import { Duration, Effect, Option, Redacted } from "effect"
import * as BearerToken from "../../../src/session/internal/BearerToken.ts"
import * as CookiePolicy from "../../../src/session/internal/CookiePolicy.ts"
import type { AccountId, Identity } from "../../../src/session/Identity.ts"
import type { BearerSession, DeviceInfo, RequestHeaders, Session } from "../../../src/session/Session.ts"
import type { State as RequestState } from "../../../src/http/internal/RequestState.ts"
import { derive, sha256 } from "./Digest.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import * as GuestCookie from "./GuestCookie.ts"
import * as SessionContent from "./SessionContent.ts"
import {
  type Content,
  dataOf,
  newBearer,
  newId,
  nonceOf,
  type Origin,
  type Shared,
  type Standing,
  write
} from "./SessionContent.ts"

// An id in a cookie: 256 bits in base64url. A guest's cookie contains dots and never matches, and a bearer secret is longer.
const memberId = /^[A-Za-z0-9_-]{43}$/

/** A public name for a session that neither grants access nor reveals its key. */
export const handleOf = (key: string): string => sha256(`handle\0${key}`).slice(0, 32)

/** The key of the row that the request came with and has not replaced. */
const keptKey = ({ origin, standing }: Content): Option.Option<string> =>
  standing._tag === "SignedIn" && standing.row === "Kept" && origin._tag === "SignedIn"
    ? Option.some(origin.key)
    : Option.none()

/** The key of the row that this session has, or will have once it is written; `None` for a guest. */
const rowKey = (content: Content): Option.Option<string> =>
  Option.orElse(keptKey(content), () =>
    content.standing._tag === "SignedIn" ? Option.some(sha256(content.standing.id)) : Option.none()
  )

export class RequestSession implements Session {
  readonly #shared: Shared
  readonly #state: RequestState
  readonly #headers: RequestHeaders
  /** The text after `Bearer`; `undefined` where the cookies count. */
  readonly #bearer: string | undefined
  #content: Content | undefined = undefined
  #seenRevocation: number | undefined = undefined
  #derived: { readonly from: string; readonly secret: Uint8Array } | undefined = undefined

  constructor(shared: Shared, state: RequestState, headers: RequestHeaders, bearer?: string) {
    this.#shared = shared
    this.#state = state
    this.#headers = headers
    this.#bearer = bearer
  }

  /** Whether this is the session of a secret in `Authorization`. */
  isOf(bearer: string): boolean {
    return this.#bearer === bearer
  }

  get identity(): Effect.Effect<Option.Option<Identity>> {
    return this.#with(({ standing }) => (standing._tag === "SignedIn" ? Option.some(standing.identity) : Option.none()))
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
      if (content.standing._tag === "SignedIn") content.standing = { _tag: "Guest", nonce: undefined }
    })
  }

  get regenerate(): Effect.Effect<void> {
    return this.#with((content) => {
      const { standing } = content
      content.changed = true
      content.standing =
        standing._tag === "Guest"
          ? { _tag: "Guest", nonce: undefined }
          : { ...standing, id: this.#newId(), row: standing.row === "New" ? "New" : "Moved" }
    })
  }

  [signIn](identity: Identity, asOf?: number): Effect.Effect<void> {
    const install = this.#with((content) => {
      const { standing } = content
      // The data of one account must not reach the next one.
      if (standing._tag === "SignedIn" && standing.identity.id !== identity.id) {
        content.data = new Map()
        content.changes.clear()
      }
      content.standing = { _tag: "SignedIn", id: this.#newId(), identity, row: "New" }
      this.#state.account = identity.id
    })
    return Effect.suspend(() => {
      if (asOf !== undefined) this.#seenRevocation = asOf
      return this.#seenRevocation === undefined ? Effect.zipRight(this.trackRevocations, install) : install
    })
  }

  get trackRevocations(): Effect.Effect<void> {
    return Effect.map(this.#shared.revocations.latest, (number) => {
      this.#seenRevocation = number
    })
  }

  get secret(): Effect.Effect<Uint8Array> {
    return this.#with((content) => {
      const { standing } = content
      const from = standing._tag === "SignedIn" ? standing.id : nonceOf(content, this.#shared.entropy)
      // A page asks for it twice: for its forms and for the layout.
      if (this.#derived?.from !== from) this.#derived = { from, secret: derive("csrf", from) }
      return this.#derived.secret
    })
  }

  get handle(): Effect.Effect<Option.Option<string>> {
    return this.#with((content) => Option.map(rowKey(content), handleOf))
  }

  get liveness(): Effect.Effect<Option.Option<Effect.Effect<boolean>>> {
    const { rows } = this.#shared
    // The key is that of now: what a later change of this request does with the row is its own.
    return this.#with((content) =>
      Option.map(rowKey(content), (key) => EpochSeconds.use((now) => rows.isLive(key, now)))
    )
  }

  get bearer(): Effect.Effect<Option.Option<BearerSession>> {
    if (this.#bearer === undefined) return Effect.succeedNone
    return EpochSeconds.use((now) =>
      this.#with(({ origin, standing }) => {
        if (standing._tag !== "SignedIn") return Option.none()
        const isNew = standing.row === "New" || origin._tag !== "SignedIn"
        const expires = isNew ? now + Duration.toSeconds(this.#shared.settings.sessionTtl) : origin.row.absolute
        return Option.some({ secret: Redacted.make(standing.id), expires })
      })
    )
  }

  /** The key of the row that this request came with; empty for a guest. */
  get key(): Effect.Effect<string> {
    return this.#with(({ origin }) => (origin._tag === "SignedIn" ? origin.key : ""))
  }

  /** A revocation by this request itself does not undo its own sign-in. */
  acknowledge(number: number): void {
    this.#seenRevocation = Math.max(this.#seenRevocation ?? 0, number)
  }

  /** Where this request comes from. */
  get device(): DeviceInfo {
    return { address: this.#state.clientAddress, userAgent: this.#headers["user-agent"] ?? "" }
  }

  /** The latest revocation that this request has seen; `undefined` before `trackRevocations`. */
  get seenRevocation(): number | undefined {
    return this.#seenRevocation
  }

  isRevoked(user: AccountId): Effect.Effect<boolean> {
    return SessionContent.isRevoked(this.#shared, user, this.#seenRevocation)
  }

  /** Whether the row that this request came with is gone. */
  get hasEnded(): Effect.Effect<boolean> {
    const { rows } = this.#shared
    return Effect.flatMap(
      this.#with(keptKey),
      Option.match({
        onNone: () => Effect.succeed(false),
        onSome: (key) => EpochSeconds.use((now) => Effect.map(rows.isLive(key, now), (isLive) => !isLive))
      })
    )
  }

  /** Writes the session if it has changed. */
  get commit(): Effect.Effect<void> {
    const content = this.#content
    if (content === undefined || !SessionContent.isPending(content)) return Effect.void
    return Effect.uninterruptible(SessionContent.commit(content, this.#writing))
  }

  /** Deletes the row that `commit` has inserted for a sign-in. */
  get discard(): Effect.Effect<void> {
    const standing = this.#content?.standing
    if (standing?._tag !== "SignedIn" || standing.row !== "New") return Effect.void
    return Effect.asVoid(this.#shared.rows.remove(sha256(standing.id)))
  }

  #with<A>(use: (content: Content) => A): Effect.Effect<A> {
    return Effect.suspend(() => {
      const content = this.#content
      return content === undefined ? Effect.map(this.#load(), use) : Effect.succeed(use(content))
    })
  }

  #newId(): string {
    const { entropy } = this.#shared
    return this.#bearer === undefined ? newId(entropy) : newBearer(entropy)
  }

  #load(): Effect.Effect<Content> {
    const { settings } = this.#shared
    if (this.#bearer !== undefined) return this.#loadBearer(this.#bearer)
    const cookie = CookiePolicy.read(this.#headers["cookie"], settings.sessionName)
    if (cookie === undefined) return Effect.sync(() => this.#begin({ _tag: "None" }))
    return EpochSeconds.use((now) =>
      memberId.test(cookie) ? this.#loadSignedIn(cookie, now) : this.#loadGuest(cookie, now)
    )
  }

  #loadBearer(text: string): Effect.Effect<Content> {
    if (BearerToken.kindOf(text) !== "session") return Effect.sync(() => this.#begin({ _tag: "None" }))
    return EpochSeconds.use((now) => this.#loadSignedIn(text, now))
  }

  #loadSignedIn(id: string, now: number): Effect.Effect<Content> {
    return Effect.map(this.#shared.rows.read(id, now), (found) => {
      if (found === undefined || found.row.expires <= now) return this.#begin({ _tag: "None" })
      const { identity, key, row } = found
      const standing: Standing = { _tag: "SignedIn", id, identity, row: "Kept" }
      this.#state.account = row.user
      const isDue = now - row.last_seen >= this.#shared.stampInterval
      return this.#begin({ _tag: "SignedIn", key, row, isDue }, standing)
    })
  }

  #loadGuest(cookie: string, now: number): Effect.Effect<Content> {
    return Effect.map(this.#shared.keys.ring, (ring) => {
      const guest = GuestCookie.decode(cookie, ring, now, this.#shared.settings.sessionTtl)
      if (guest === undefined) return this.#begin({ _tag: "None" })
      return this.#begin({ _tag: "Guest" }, { _tag: "Guest", nonce: guest.nonce }, new Map(guest.data))
    })
  }

  // Two fibers of one request may have read concurrently: the first one counts.
  #begin(
    origin: Origin,
    standing: Standing = { _tag: "Guest", nonce: undefined },
    data?: Map<string, string>
  ): Content {
    return (this.#content ??= { origin, standing, data, changes: new Map(), flushed: false, changed: false })
  }

  get #writing(): SessionContent.Writing {
    return {
      shared: this.#shared,
      device: this.device,
      seenRevocation: this.#seenRevocation,
      cookies: this.#bearer === undefined ? this.#state.cookies : undefined
    }
  }
}

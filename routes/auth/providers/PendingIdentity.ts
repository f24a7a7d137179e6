// An identity that a provider has proved and that is not linked yet, in the session of its browser: the person completes the
// sign-up, or signs in once to the account that has its address. Ten minutes, one use.
import { Duration, Effect, Option, Schema } from "effect"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import { flowLifetime, ProviderFlows } from "../../../src/auth/internal/providers/ProviderFlows.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import * as ProviderMetrics from "../../../src/auth/internal/providers/ProviderMetrics.ts"
import * as StoredFlow from "../../../src/auth/internal/providers/StoredFlow.ts"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import { Entropy } from "../../../src/session/internal/Entropy.ts"
import { KeyRing } from "../../../src/session/internal/KeyRing.ts"
import { RateLimit } from "../../../src/session/RateLimit.ts"
import { storable } from "../../../src/session/internal/StorableText.ts"
import type { Identity } from "../../../src/session/Identity.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"

const Stored = Schema.Struct({
  /** Used up by whoever completes it. */
  id: Schema.String,
  provider: Schema.String,
  /** The name of the provider. */
  name: Schema.String,
  issuer: Schema.String,
  subject: Schema.String,
  label: Schema.String,
  email: Schema.optional(Schema.String),
  isAuthoritative: Schema.Boolean,
  /** The account that the person has to sign in to, sealed; absent for a sign-up. */
  account: Schema.optional(Schema.String),
  remember: Schema.Boolean,
  returnTo: Schema.String,
  /** Epoch seconds at which the provider has last asked the person. */
  authenticated: Schema.optional(Schema.Number),
  /** Values for the fields of the sign-up form. */
  fields: Schema.Record({ key: Schema.String, value: Schema.String }),
  /** Epoch seconds. */
  expires: Schema.Number
})

/** An identity that waits. */
export type PendingIdentity = typeof Stored.Type

const Text = Schema.parseJson(Stored)
const decode = Schema.decodeUnknownOption(Text)
const encode = Schema.encodeSync(Text)

const key = "identity_pending"

// The cookie of a guest has room for 2,800 bytes, and drops the longest of its values first: that must not be this one.
const maxBytes = 1300
const maxBeside = 2200

/**
 * Keeps an identity for the next requests of this browser. A provider may tell much: what is only shown is shortened, and the
 * flows of other tabs go before the person does who has come back.
 */
export const keep = Effect.fnUntraced(function* (given: Omit<PendingIdentity, "id" | "expires">) {
  const session = yield* SessionCookie.current
  const { bytes } = yield* Entropy
  const ring = yield* KeyRing
  const id = Buffer.from(bytes(16)).toString("base64url")
  const expires = (yield* EpochSeconds.seconds) + Duration.toSeconds(flowLifetime)
  // Anyone can have an identity with somebody else's address: the cookie must not tell whose account that is.
  const account = given.account === undefined ? undefined : (yield* ring.seal(given.account, key)).text
  const pending = { ...given, id, expires, ...(account !== undefined && { account }) }
  const whole = encode(pending)
  const short = { ...pending, fields: {}, label: storable(given.label.slice(0, 60)) }
  const text = Buffer.byteLength(whole) > maxBytes ? encode(short) : whole
  const flows = Option.getOrElse(yield* session.get(StoredFlow.sessionKey), () => "")
  if (Buffer.byteLength(text) + Buffer.byteLength(flows) > maxBeside) yield* session.pull(StoredFlow.sessionKey)
  yield* session.set(key, text)
})

const live = Effect.fnUntraced(function* (text: Option.Option<string>) {
  const now = yield* EpochSeconds.seconds
  return Option.filter(Option.flatMap(text, decode), ({ expires }) => expires > now)
})

/** The identity of this browser; `None` without one, or when it is late. */
export const current = Effect.flatMap(SessionCookie.current, (session) => Effect.flatMap(session.get(key), live))

/** Forgets the identity of this browser. */
export const drop = Effect.flatMap(SessionCookie.current, (session) => Effect.asVoid(session.pull(key)))

/** Uses it up; `false` when another request has, also one with a copy of the cookie. */
export const claim = ({ id }: PendingIdentity) => Effect.flatMap(ProviderFlows, (flows) => flows.claim(id))

const link = Effect.fnUntraced(function* (user: Identity, pending: PendingIdentity) {
  const identities = yield* LinkedIdentities
  const { created, handle, label } = yield* identities.link(user.id, pending)
  // A password that was reset while this request checked the old one drops the sign-in, and must not leave a way in.
  if (yield* (yield* SessionCookie.current).isRevoked(user.id)) {
    yield* identities.remove(user.id, handle)
    return
  }
  yield* SecurityLog.record(user.id, { _tag: "IdentityLinked", provider: pending.name, label }, { since: created })
  yield* ProviderMetrics.record(pending.provider, "linked")
}, Effect.uninterruptible)

/** Links the identity that waits for this account, whose owner has just confirmed on this browser; any other is forgotten. */
export const connect = Effect.fnUntraced(function* (user: Identity) {
  const session = yield* SessionCookie.current
  const pending = yield* Effect.flatMap(session.pull(key), live)
  if (Option.isNone(pending)) return
  const { account = "" } = pending.value
  const owner = yield* Effect.flatMap(KeyRing, ({ unseal }) => unseal(account, key))
  if (!Option.contains(owner, user.id) || !(yield* claim(pending.value))) return
  // The sign-in itself is as good as without it.
  const { hit } = yield* RateLimit
  if (!(yield* hit(AuthRateLimits.rules.credentialsPerAccount, user.id)).allowed) return
  yield* link(user, pending.value).pipe(
    // Another account has it by now.
    Effect.catchTag("IdentityTaken", () => ProviderMetrics.record(pending.value.provider, "taken"))
  )
})

// The identities of an account, for the page and for the API: how their owner connects and disconnects them, and confirms
// by one of them.
import { Effect, Option } from "effect"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import * as ProviderMetrics from "../../../src/auth/internal/providers/ProviderMetrics.ts"
import type { StoredFlow } from "../../../src/auth/internal/providers/StoredFlow.ts"
import { LinkedIdentities, type LinkedIdentity } from "../../../src/auth/LinkedIdentities.ts"
import { FlowExpired, type Person, type Provider, ProviderRefused, Providers } from "../../../src/auth/Providers.ts"
import { SignInMethods } from "../../../src/auth/SignInMethods.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import { type AccountId, CurrentIdentity } from "../../../src/session/Identity.ts"
import * as ReturnTo from "../../../src/session/internal/ReturnTo.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import * as Flash from "../../session/Flash.ts"
import * as StoredFlash from "../../session/internal/StoredFlash.ts"
import * as FormState from "../../session/FormState.ts"
import { One } from "../api/AccountSchemas.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import * as Confirmation from "../confirmation/Confirmation.ts"
import { home, identities as paths } from "../internal/AuthPaths.ts"
import * as LiveSession from "../internal/LiveSession.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as ProviderButtons from "./ProviderButtons.ts"

/** The identities of the signed-in account. */
export const list = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  return yield* Effect.flatMap(LinkedIdentities, (identities) => identities.list(id))
})

/** Links an identity that its provider has proved, and tells the owner. */
export const link = Effect.fnUntraced(function* (user: AccountId, { id, name }: Provider, person: Person) {
  const { issuer, label, subject } = person
  const identities = yield* LinkedIdentities
  const linked = yield* Effect.tapErrorTag(
    identities.link(user, { issuer, subject, label, provider: id }),
    "IdentityTaken",
    () => ProviderMetrics.record(id, "taken")
  )
  yield* ProviderMetrics.record(id, "linked")
  yield* SecurityLog.record(user, { _tag: "IdentityLinked", provider: name, label }, { since: linked.created })
  return linked
})

/** Disconnects an identity of the signed-in account; `false` for an unknown one. Fails for the last way to sign in. */
export const removeOne = Effect.fnUntraced(function* (handle: string) {
  const { id } = yield* CurrentIdentity
  const identities = yield* LinkedIdentities
  const methods = yield* SignInMethods
  const found = (yield* identities.list(id)).find((one) => one.handle === handle)
  if (found === undefined) return false
  yield* RateLimit.spend(AuthRateLimits.rules.credentialsPerAccount, id)
  const isRemoved = yield* methods.remove(id, identities.remove(id, handle))
  if (!isRemoved) return false
  // Which of the remembered devices it began is not known.
  yield* Effect.flatMap(Trust, ({ revoke }) => revoke(id))
  yield* SecurityLog.record(id, { _tag: "IdentityUnlinked", provider: yield* nameOf(found), label: found.label })
  return true
}, Effect.uninterruptible)

/** The name of the provider of an identity on its button; the id of one that the program no longer has. */
export const nameOf = ({ issuer, provider }: LinkedIdentity) =>
  Effect.map(
    Effect.flatMap(Providers, ({ all }) => all),
    (all) => all.find((one) => one.issuer === issuer)?.name ?? provider
  )

/** The providers by which an account can confirm: those of its identities that ask a person again. */
export const confirming = Effect.fnUntraced(function* (user: AccountId) {
  const linked = yield* Effect.flatMap(LinkedIdentities, (identities) => identities.list(user))
  const issuers = new Set(linked.map(({ issuer }) => issuer))
  return (yield* ProviderButtons.offered).filter(({ asksAgain, issuer }) => asksAgain && issuers.has(issuer))
})

/**
 * When somebody who comes back from a provider has proved who they are, in epoch seconds. A browser in which the person is still
 * signed in at the provider comes back for anyone who finds it: only a time at which it has asked them counts, or `undefined`,
 * which is now, for an account that can confirm by nothing else.
 */
export const provedAt = Effect.fnUntraced(function* (
  user: AccountId,
  { authenticated }: Pick<Person, "authenticated">
) {
  const { hasCode, hasPasskey, hasPassword } = yield* Confirmation.waysOf(user)
  const hasOther = hasCode || hasPasskey || hasPassword || (yield* confirming(user)).length > 0
  return hasOther ? (authenticated ?? 0) : undefined
})

/** Disconnects the identity of the form in this request. */
export const remove = Effect.flatMap(FormState.read(One), ({ handle }) => removeOne(handle))

// In the session that has begun it, for the account that has begun it.
const sameAccount = Effect.fnUntraced(function* ({ account }: StoredFlow) {
  const identity = yield* SessionCookie.identity
  return Option.isSome(identity) && identity.value.id === account ? identity.value : yield* new FlowExpired()
})

/** Links an identity to the signed-in account, which has asked for it in this session. */
export const add = Effect.fnUntraced(function* (provider: Provider, person: Person) {
  const { id } = yield* CurrentIdentity
  yield* RateLimit.spend(AuthRateLimits.rules.credentialsPerAccount, id)
  const linked = yield* link(id, provider, person)
  yield* LiveSession.orElse(Effect.flatMap(LinkedIdentities, ({ remove: unlink }) => unlink(id, linked.handle)))
  return linked
  // A thief who hangs up in between must neither keep it beyond the session nor keep the news of it from the owner.
}, Effect.uninterruptible)

const connected = Effect.fnUntraced(function* (provider: Provider, person: Person) {
  yield* add(provider, person)
  const { providers } = yield* PageTexts.texts
  return yield* StoredFlash.redirect(paths.list, Flash.success(providers.identities.linked(provider.name)))
})

/** How far the clock of a provider may differ from ours, in seconds. */
const tolerance = 60

/** Confirms by an identity, which must be one of this account; the person must have been asked since the flow was begun. */
export const confirm = Effect.fnUntraced(function* (provider: Provider, begun: number, person: Person) {
  const { id } = yield* CurrentIdentity
  yield* RateLimit.spend(AuthRateLimits.rules.confirmPerAccount, id)
  const owner = yield* Effect.flatMap(LinkedIdentities, ({ find }) => find(person))
  const isOwn = Option.exists(owner, ({ identity }) => identity.id === id)
  const { authenticated = 0 } = person
  if (!isOwn || authenticated < begun - tolerance) {
    yield* SecurityLog.record(id, { _tag: "Confirmed", by: "provider" }, { outcome: "failure" })
    return yield* new ProviderRefused({ provider: provider.id, reason: "claims" })
  }
  const session = yield* SessionCookie.current
  yield* session.regenerate
  yield* Confirmation.renew()
  yield* SecurityLog.record(id, { _tag: "Confirmed", by: "provider" })
  yield* ProviderMetrics.record(provider.id, "confirmed")
})

const confirmed = Effect.fnUntraced(function* (provider: Provider, flow: StoredFlow, person: Person) {
  yield* confirm(provider, flow.begun, person)
  const session = yield* SessionCookie.current
  const target = Option.getOrElse(yield* session.pull(ReturnTo.confirmKey), () => flow.returnTo)
  return NoStore.seeOther(ReturnTo.parse(target) ?? home)
})

/** Ends a flow that a signed-in person has begun, to connect an identity or to confirm by one. */
export const returned = Effect.fnUntraced(function* (provider: Provider, flow: StoredFlow, person: Person) {
  const identity = yield* sameAccount(flow)
  const as = Effect.provideService(CurrentIdentity, identity)
  return yield* flow.purpose === "link" ? as(connected(provider, person)) : as(confirmed(provider, flow, person))
})

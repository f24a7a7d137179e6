// Which account an identity leads to that a provider has proved, by the rule of `LinkPolicy`: for the pages and for the API.
import { Effect, Option } from "effect"
import * as Claims from "../../../src/auth/internal/providers/Claims.ts"
import * as LinkPolicy from "../../../src/auth/internal/providers/LinkPolicy.ts"
import { LinkedIdentities, type Owner } from "../../../src/auth/LinkedIdentities.ts"
import { FlowExpired, type Person, type Provider } from "../../../src/auth/Providers.ts"
import { Users } from "../../../src/auth/Users.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import * as AccountAccess from "../internal/AccountAccess.ts"
import * as AccountIdentities from "./AccountIdentities.ts"

/** Whether the provider has verified the address of this person, and speaks for its domain. */
export const isAuthoritative = (provider: Provider, { email, isVerified }: Person): boolean =>
  isVerified && email !== undefined && provider.isAuthoritativeFor(Claims.domainOf(email))

const addressOf = (provider: Provider, person: Person): LinkPolicy.Address =>
  person.email === undefined
    ? { _tag: "Unusable" }
    : { _tag: "Usable", email: person.email, isAuthoritative: isAuthoritative(provider, person) }

// The account was made by somebody who has not proved its address: its owner starts alone, as after a reset.
const takeOver = Effect.fnUntraced(function* (user: AccountId, { name: provider }: Provider, email: string) {
  const users = yield* Users
  const session = yield* SessionCookie.current
  yield* AccountAccess.endAll(user)
  // Whoever made it may have moved it to an address of their own meanwhile, to which a reset link would go.
  const holder = yield* users.fetch(email)
  if (!Option.exists(holder, ({ id }) => id === user)) return yield* new FlowExpired()
  yield* users.confirm(user)
  // As after a reset: the browser on which the account was made is not known to its owner.
  yield* SecurityLog.record(user, { _tag: "TakenOver", provider })
  // What this request has ended itself must not undo its own sign-in.
  yield* session.trackRevocations
})

const link = (provider: Provider, person: Person, user: AccountId, isReset: boolean) =>
  Effect.gen(function* () {
    if (isReset) yield* takeOver(user, provider, person.email ?? "")
    yield* AccountIdentities.link(user, provider, person)
  }).pipe(Effect.uninterruptible)

// Whoever was unlinked meanwhile is not signed in: the revocation that came with it would undo that as well.
const signIn = Effect.fnUntraced(function* (provider: Provider, person: Person, owner: Option.Option<Owner>) {
  const { handle, identity: user } = yield* Effect.mapError(owner, () => new FlowExpired())
  yield* Effect.flatMap(LinkedIdentities, ({ recordUse }) => recordUse(user.id, person))
  const hasSecondFactor = provider.countsSecondFactor && person.hasSecondFactor
  const provedAt = yield* AccountIdentities.provedAt(user.id, person)
  const means = { by: provider.name, via: handle, provider: provider.id, provedAt, hasSecondFactor }
  return { _tag: "SignIn" as const, user, means }
})

// The account that has the address, if any.
const holderOf = Effect.fnUntraced(function* (email: string, { issuer }: Person) {
  const found = yield* Effect.flatMap(Users, (users) => users.fetch(email))
  if (Option.isNone(found)) return undefined
  const { id: user, verified: isProved } = found.value
  const identities = yield* Effect.flatMap(LinkedIdentities, ({ list }) => list(user))
  return { user, isProved, hasOther: identities.some((one) => one.issuer === issuer) }
})

/** What follows from who has come back; a link that the rule allows is made. */
export const settle = Effect.fnUntraced(function* (provider: Provider, person: Person) {
  const { find } = yield* LinkedIdentities
  const owner = yield* find(person)
  const address = addressOf(provider, person)
  // Whose address it is matters to an unknown identity alone.
  const isAsked = Option.isNone(owner) && address._tag === "Usable"
  const outcome = LinkPolicy.decide({
    linked: Option.getOrUndefined(owner)?.identity.id,
    address,
    holder: isAsked ? yield* holderOf(address.email, person) : undefined
  })
  if (outcome._tag === "SignIn") return yield* signIn(provider, person, owner)
  if (outcome._tag !== "Link") return outcome
  yield* link(provider, person, outcome.user, outcome.isReset)
  return yield* signIn(provider, person, yield* find(person))
})

// The operations of providers as endpoints: the rules are those of the pages.
import { HttpServerRequest } from "@effect/platform"
import { Effect, Option, Redacted, Schema } from "effect"
import type { Returned } from "../../../src/auth/internal/providers/ApiFlow.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import * as Form from "../../../src/auth/internal/Form.ts"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import * as ProviderMetrics from "../../../src/auth/internal/providers/ProviderMetrics.ts"
import type { Provider } from "../../../src/auth/Providers.ts"
import { Users } from "../../../src/auth/Users.ts"
import { type AccountId, CurrentIdentity } from "../../../src/session/Identity.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as Texts from "../../http/Texts.ts"
import * as FormState from "../../session/FormState.ts"
import * as CsrfGuard from "../../session/internal/CsrfGuard.ts"
import * as Respond from "../../session/Respond.ts"
import { asCredentials, InvalidInput, PendingEnded, ProviderDown } from "../api/AccountFailures.ts"
import {
  accepted,
  asGuarded,
  regenerated,
  saying,
  withBearer,
  withJson,
  withoutCookies,
  withProfile
} from "../api/AccountOperation.ts"
import * as AccountEvents from "../internal/AccountEvents.ts"
import * as PendingSession from "../signin/PendingSession.ts"
import * as SignInSteps from "../signin/SignInSteps.ts"
import * as SignUp from "../signup/SignUp.ts"
import * as AccountIdentities from "./AccountIdentities.ts"
import * as IdentityOwner from "./IdentityOwner.ts"
import * as ProviderButtons from "./ProviderButtons.ts"
import * as ProviderCode from "./ProviderCode.ts"
import * as ProviderFlow from "./ProviderFlow.ts"
import * as ProviderSignUp from "./ProviderSignUp.ts"

const providerTexts = Effect.map(Texts.of(AuthTexts), ({ providers }) => providers)

const ended = Effect.flatMap(providerTexts, ({ expired }) => new PendingEnded({ error: expired }))

export const providers = Effect.map(ProviderButtons.offered, (all) => all.map(({ id, name }) => ({ id, name })))

const beginning = (id: string, wish: Parameters<typeof ProviderCode.begin>[1]) =>
  Effect.catchTag(ProviderCode.begin(id, wish), "ProviderUnavailable", () =>
    Effect.gen(function* () {
      const { name } = yield* ProviderFlow.find(id)
      const { headers } = yield* RequestState
      headers.set("retry-after", "30")
      return yield* new ProviderDown({ error: (yield* providerTexts).unavailable(name) })
    })
  ).pipe(withJson)

export const beginProvider = (id: string) =>
  Effect.zipRight(CsrfGuard.header, beginning(id, { purpose: "sign-in", isBrowser: true }))

export const beginProviderBearer = (id: string) =>
  beginning(id, { purpose: "sign-in", isBrowser: false }).pipe(withoutCookies)

// Beside an `Authorization` header no cookie counts, and the browser that returns is any.
const beginGuarded = (purpose: "link" | "confirm") => (provider: string) =>
  Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { id } = yield* CurrentIdentity
    return yield* beginning(provider, { purpose, account: id, isBrowser: headers["authorization"] === undefined })
  }).pipe(asGuarded)

export const beginIdentity = beginGuarded("link")

export const beginConfirmation = beginGuarded("confirm")

const Nothing = Schema.Struct({})
const Wish = Schema.Struct({ remember: Form.Checkbox })

const connect = Effect.fnUntraced(function* ({ id, name }: Provider, found: Returned, account: AccountId) {
  yield* ProviderMetrics.record(id, "connect")
  // The sign-in that follows begins another session.
  const code = yield* ProviderCode.proceed(found, { use: "connect", account, visit: "" })
  const message = (yield* providerTexts).connect(name, found.person.label)
  return { _tag: "Next" as const, response: accepted({ next: "connect", code, message }) }
})

const newcomerOf = (provider: Provider, { person }: Returned) => ({
  ...person,
  provider: provider.id,
  name: provider.name,
  isAuthoritative: IdentityOwner.isAuthoritative(provider, person)
})

/** Signs in with the code in this request, or says what has to follow. */
const signIn = <A, R>(isBrowser: boolean, grant: SignInSteps.Grant<A, R>) =>
  Effect.gen(function* () {
    const { remember: wish } = yield* FormState.read(Wish)
    const remember = isBrowser && wish !== undefined
    const { provider, returned } = yield* ProviderCode.redeem({ uses: ["sign-in"], isBrowser })
    const outcome = yield* IdentityOwner.settle(provider, returned.person)
    if (outcome._tag === "SignIn") {
      return yield* SignInSteps.complete(Nothing, outcome.user, { ...outcome.means, remember }, grant)
    }
    if (outcome._tag === "Connect") return yield* connect(provider, returned, outcome.user)
    if (outcome._tag === "SignUp" && !(yield* ProviderSignUp.hasFields)) {
      const { identity, means } = yield* ProviderSignUp.enroll(newcomerOf(provider, returned), outcome.email, {})
      return yield* SignInSteps.complete(Nothing, identity, { ...means, remember }, grant)
    }
    yield* ProviderMetrics.record(provider.id, outcome._tag === "SignUp" ? "ask_fields" : "ask_address")
    const code = yield* ProviderCode.proceed(returned, { use: "sign-up", remember })
    const { email, fields } = returned.person
    return { _tag: "Next" as const, response: accepted({ next: "sign-up", code, email, fields }) }
  }).pipe(
    // Somebody else was quicker with the address, the identity or the profile.
    Effect.catchTags({
      Duplicate: () => ended,
      ProfileTaken: () => ended,
      IdentityTaken: () => ended,
      FlowExpired: () => ended,
      InvalidForm: asCredentials
    }),
    withJson
  )

/** What a client without cookies gets; nothing where the account was revoked meanwhile. */
export const signInProvider = Effect.gen(function* () {
  yield* CsrfGuard.header
  const outcome = yield* signIn(true, SignInSteps.inBrowser)
  if (outcome._tag === "Next") return outcome.response
  if (outcome._tag === "SignedIn") return outcome.identity
  yield* PendingSession.keep(outcome.token)
  return accepted({ factors: outcome.kinds })
})

export const signInProviderBearer = Effect.gen(function* () {
  const outcome = yield* signIn(false, SignInSteps.byBearer)
  if (outcome._tag === "Next") return outcome.response
  if (outcome._tag === "SignedIn") return yield* withBearer(outcome.identity, outcome.granted, ended)
  return accepted({ factors: outcome.kinds, pending: Redacted.value(outcome.token.value) })
}).pipe(withoutCookies)

// The form is read before the code is used up, and a refused one gives it back.
const signUp = <A, R>(isBrowser: boolean, grant: SignInSteps.Grant<A, R>) =>
  Effect.gen(function* () {
    const form = yield* SignUp.readWithoutPassword
    const { provider, returned } = yield* ProviderCode.redeem({ uses: ["sign-up"], isBrowser })
    const holder = yield* Effect.flatMap(Users, (users) => users.fetch(form.email))
    if (Option.isSome(holder)) return yield* connect(provider, returned, holder.value.id)
    const { identity, means } = yield* ProviderSignUp.enroll(
      newcomerOf(provider, returned),
      form.email,
      form.enrollment
    ).pipe(
      Effect.catchTag("Duplicate", () => form.emailTaken),
      Effect.catchTag("ProfileTaken", form.profileTaken),
      Effect.catchTag("HookFailed", AccountEvents.refusedForm),
      Effect.tapErrorTag("InvalidForm", () => ProviderCode.restore(returned)),
      Effect.catchTag("IdentityTaken", () => ended)
    )
    const signedIn = yield* SignInSteps.complete(Nothing, identity, { ...means, remember: returned.remember }, grant)
    return { ...signedIn, account: withProfile(identity, form.profile) }
  }).pipe(
    Effect.catchTag("FlowExpired", () => ended),
    // As the page: each form says whether an address has an account.
    RateLimit.middleware(AuthRateLimits.rules.register),
    withJson
  )

const created = (value: unknown) => Respond.json(value, { status: 201 })

export const signUpProvider = Effect.gen(function* () {
  yield* CsrfGuard.header
  const outcome = yield* signUp(true, SignInSteps.inBrowser)
  if (outcome._tag === "Next") return outcome.response
  return outcome._tag === "SignedIn" ? created(outcome.account) : yield* ended
})

export const signUpProviderBearer = Effect.gen(function* () {
  const outcome = yield* signUp(false, SignInSteps.byBearer)
  if (outcome._tag === "Next") return outcome.response
  if (outcome._tag !== "SignedIn") return yield* ended
  const { account, bearer } = yield* withBearer(outcome.account, outcome.granted, ended)
  return created({ account, bearer: { ...bearer, token: Redacted.value(bearer.token) } })
}).pipe(withoutCookies)

export const identities = AccountIdentities.list.pipe(asGuarded)

const ofAccount = <const Uses extends Parameters<typeof ProviderCode.redeem>[0]["uses"]>(uses: Uses) =>
  Effect.flatMap(CurrentIdentity, ({ id }) => ProviderCode.redeem({ uses, account: id }))

export const addIdentity = Effect.gen(function* () {
  const { provider, returned } = yield* ofAccount(["link", "connect"])
  return yield* AccountIdentities.add(provider, returned.person)
}).pipe(
  Effect.catchTag("FlowExpired", () => ended),
  withJson,
  asGuarded
)

export const removeIdentity = (handle: string) =>
  AccountIdentities.removeOne(handle).pipe(
    saying(({ providers: texts }) => texts.identities.removed),
    asGuarded
  )

export const confirmProvider = Effect.gen(function* () {
  const { provider, returned } = yield* ofAccount(["confirm"])
  yield* Effect.catchTag(
    AccountIdentities.confirm(provider, returned.begun, returned.person),
    "ProviderRefused",
    (failure) =>
      Effect.gen(function* () {
        yield* ProviderFlow.failed(provider, failure)
        return yield* new InvalidInput({ error: (yield* providerTexts).refused(provider.name), fields: {} })
      })
  )
  return yield* regenerated(({ confirm: texts }) => texts.done)
}).pipe(
  Effect.catchTag("FlowExpired", () => ended),
  withJson,
  asGuarded
)

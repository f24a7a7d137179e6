// A sign-up by a provider: at once, or after a page that asks for what is missing, an address or the program's own fields.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option } from "effect"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import * as ProviderMetrics from "../../../src/auth/internal/providers/ProviderMetrics.ts"
import { ProviderFlows } from "../../../src/auth/internal/providers/ProviderFlows.ts"
import { FlowExpired } from "../../../src/auth/Providers.ts"
import { type Enrollment, Users } from "../../../src/auth/Users.ts"
import type { ProfileTaken } from "../../../src/auth/Profile.ts"
import { html } from "../../../src/http/Html.ts"
import * as ReturnTo from "../../../src/session/internal/ReturnTo.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import * as Texts from "../../http/Texts.ts"
import * as Flash from "../../session/Flash.ts"
import * as StoredFlash from "../../session/internal/StoredFlash.ts"
import type * as FormState from "../../session/FormState.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as Page from "../../session/Page.ts"
import * as InvalidPage from "../../session/internal/InvalidPage.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import * as AccountEvents from "../internal/AccountEvents.ts"
import * as AccountFields from "../internal/AccountFields.ts"
import { providers as paths, signIn, withProvider } from "../internal/AuthPaths.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as AccountProfile from "../signup/AccountProfile.ts"
import * as SignUp from "../signup/SignUp.ts"
import * as Completion from "../signin/Completion.ts"
import * as AccountIdentities from "./AccountIdentities.ts"
import * as PendingIdentity from "./PendingIdentity.ts"

type Pending = PendingIdentity.PendingIdentity

/** Whether the program has fields of its own that a sign-up asks for. */
export const hasFields = Effect.map(
  AccountProfile.store,
  Option.exists(({ definition }) => definition.signUp.length > 0)
)

const limited = RateLimit.middleware(AuthRateLimits.rules.register)

const expired = PageTexts.withTexts(({ providers }) => StoredFlash.redirect(signIn, Flash.error(providers.expired)))

/** Who a new account is for, and what is known of its address. */
type Newcomer = Pick<Pending, "email" | "isAuthoritative" | "issuer" | "label" | "name" | "provider" | "subject"> & {
  readonly authenticated?: number | undefined
}

/** How the account is stored; it may belong to a form that was completed before. */
type Storing = Enrollment<ProfileTaken | FlowExpired>

// The account and its identity are stored together, or neither.
const linking = Effect.fnUntraced(function* (enrollment: Storing, pending: Newcomer) {
  const identities = yield* LinkedIdentities
  const { within = () => Effect.void } = enrollment
  return {
    ...enrollment,
    within: (user: AccountId) =>
      Effect.zipRight(
        within(user),
        Effect.tapErrorTag(Effect.asVoid(identities.link(user, pending)), "IdentityTaken", () =>
          ProviderMetrics.record(pending.provider, "taken")
        )
      )
  }
})

/** Creates the account of an identity with this address, and what it signs in by. */
export const enroll = Effect.fnUntraced(function* (newcomer: Newcomer, email: string, enrollment: Storing) {
  const isProved = newcomer.isAuthoritative && email === newcomer.email
  const account = { email, isProved, enrollment: yield* linking(enrollment, newcomer) }
  // Before it is linked: a hook may take its time, and "This was not me" ends what was linked since.
  const since = yield* EpochSeconds.seconds
  // No password is hashed.
  const creating = Effect.catchTag(
    SignUp.create(account, () => Effect.void),
    "Overloaded",
    Effect.die
  )
  const { label, name, provider } = newcomer
  const { identity } = yield* Effect.tapErrorTag(creating, "HookFailed", () =>
    ProviderMetrics.record(provider, "refused")
  )
  yield* ProviderMetrics.record(provider, "signed_up")
  yield* SecurityLog.record(identity.id, { _tag: "IdentityLinked", provider: name, label }, { since })
  const owner = yield* Effect.flatMap(LinkedIdentities, ({ find }) => find(newcomer))
  const { handle } = yield* Effect.mapError(owner, () => new FlowExpired())
  const provedAt = yield* AccountIdentities.provedAt(identity.id, { authenticated: newcomer.authenticated })
  return { identity, means: { by: name, via: handle, provedAt } }
})

// Used up in the transaction of the account: a refused form leaves the identity for the next try.
const claiming = Effect.fnUntraced(function* (enrollment: Enrollment<ProfileTaken>, pending: Pending) {
  const flows = yield* ProviderFlows
  const claim = Effect.filterOrFail(
    Effect.provideService(PendingIdentity.claim(pending), ProviderFlows, flows),
    (isFirst) => isFirst,
    () => new FlowExpired()
  )
  const { within = () => Effect.void } = enrollment
  return { ...enrollment, within: (user: AccountId) => Effect.zipRight(claim, within(user)) }
})

const create = Effect.fnUntraced(
  function* (pending: Pending, email: string, enrollment: Enrollment<ProfileTaken>) {
    const { identity, means } = yield* enroll(pending, email, yield* claiming(enrollment, pending))
    yield* PendingIdentity.drop
    const { remember, returnTo } = pending
    const session = yield* SessionCookie.current
    if (ReturnTo.parse(returnTo) !== undefined) yield* session.set(ReturnTo.key, returnTo)
    return yield* Completion.inBrowser(identity, { ...means, remember })
  },
  Effect.catchTag("FlowExpired", () => expired)
)

// Somebody has this address: they sign in once, and the identity is linked.
const connect = Effect.fnUntraced(function* (pending: Pending, account: AccountId) {
  yield* PendingIdentity.keep({ ...pending, account })
  const { providers } = yield* PageTexts.texts
  return yield* StoredFlash.redirect(signIn, Flash.info(providers.connect(pending.name, pending.label)))
})

/** Creates the account of the identity that waits, with this address and without fields of the program's own. */
export const submitPlain = (email: string) =>
  Effect.gen(function* () {
    const pending = yield* PendingIdentity.current
    if (Option.isNone(pending)) return yield* expired
    return yield* create(pending.value, email, {})
  }).pipe(
    Effect.catchTag("Duplicate", () =>
      PageTexts.withTexts(({ validation }) => StoredFlash.redirect(signIn, Flash.error(validation.emailTaken)))
    ),
    Effect.catchTag("ProfileTaken", () => expired)
  )

const view = Effect.fnUntraced(function* (pending: Pending, state: FormState.FormState) {
  const { texts, token } = yield* PageTexts.load
  const { complete } = texts.providers
  const profile = Option.getOrUndefined(yield* AccountProfile.store)?.definition
  const fields = profile === undefined ? [] : AccountProfile.inputs(profile, state, yield* Texts.language)
  return {
    title: complete.title,
    main: html`<h1>${complete.title}</h1>
      <p class="faint">${complete.lead(pending.name)}</p>
      <div class="card">
        ${FormView.form({
          action: `${withProvider(pending.provider)}/complete`,
          token,
          button: complete.button,
          fields: [...fields, AccountFields.email(state, texts)]
        })}
      </div>
      <p class="below"><a href="${signIn}">${texts.loginFactor.again}</a></p>`
  }
})

// What the provider has told is shown before it is stored.
const prefilled = ({ email, fields }: Pending): FormState.FormState => ({
  fieldErrors: {},
  values: { ...fields, ...(email !== undefined && { email }) }
})

const open = Effect.gen(function* () {
  const pending = yield* PendingIdentity.current
  if (Option.isNone(pending) || pending.value.account !== undefined) return yield* expired
  return yield* Page.render(yield* view(pending.value, prefilled(pending.value)))
})

const submit = limited(
  Effect.gen(function* () {
    const found = yield* PendingIdentity.current
    if (Option.isNone(found) || found.value.account !== undefined) return yield* expired
    const pending = found.value
    return yield* Effect.gen(function* () {
      const form = yield* SignUp.readWithoutPassword
      const holder = yield* Effect.flatMap(Users, (users) => users.fetch(form.email))
      if (Option.isSome(holder)) return yield* connect(pending, holder.value.id)
      return yield* create(pending, form.email, form.enrollment).pipe(
        Effect.catchTag("Duplicate", () => form.emailTaken),
        Effect.catchTag("ProfileTaken", form.profileTaken),
        Effect.catchTag("HookFailed", AccountEvents.refusedForm),
        Effect.catchTag("IdentityTaken", () => expired)
      )
    }).pipe(Effect.catchTag("InvalidForm", (invalid) => InvalidPage.render(invalid, view(pending, invalid))))
  })
).pipe(Effect.catchTag("HookFailed", AccountEvents.refused))

/** `GET` and `POST /login/with/:provider/complete`, limited. */
export const routes = [
  HttpLayerRouter.route("GET", paths.complete, open),
  HttpLayerRouter.route("POST", paths.complete, submit)
]

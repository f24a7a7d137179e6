// Sign-in with a provider: the button, the return, and what follows from who has come back. The return itself shows no page:
// its address has the code, and every outcome is a redirect. Only a limit and an outage are not.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import * as Form from "../../../src/auth/internal/Form.ts"
import * as ProviderMetrics from "../../../src/auth/internal/providers/ProviderMetrics.ts"
import type { StoredFlow } from "../../../src/auth/internal/providers/StoredFlow.ts"
import type {
  FlowExpired,
  Person,
  Provider,
  ProviderRefused,
  ProviderUnavailable
} from "../../../src/auth/Providers.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import * as ReturnTo from "../../../src/session/internal/ReturnTo.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import * as Flash from "../../session/Flash.ts"
import * as StoredFlash from "../../session/internal/StoredFlash.ts"
import * as FormState from "../../session/FormState.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as AccountEvents from "../internal/AccountEvents.ts"
import { home, providers as paths, signIn, withProvider } from "../internal/AuthPaths.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as Completion from "../signin/Completion.ts"
import * as AccountIdentities from "./AccountIdentities.ts"
import * as IdentityOwner from "./IdentityOwner.ts"
import * as PendingIdentity from "./PendingIdentity.ts"
import * as ProviderCode from "./ProviderCode.ts"
import * as ProviderFlow from "./ProviderFlow.ts"
import * as ProviderSignUp from "./ProviderSignUp.ts"

const Begin = Schema.Struct({ remember: Form.Checkbox })

const limitedBegin = RateLimit.middleware(AuthRateLimits.rules.provider)
const limitedCallback = RateLimit.middleware(AuthRateLimits.rules.providerCallback)

/** What is known of a sign-in besides its person. */
type Wish = Pick<StoredFlow, "remember" | "returnTo">

/** Leads the browser to what follows from who has come back. */
const proceed = Effect.fnUntraced(function* (provider: Provider, person: Person, wish: Wish) {
  const outcome = yield* IdentityOwner.settle(provider, person)
  switch (outcome._tag) {
    case "SignIn": {
      const { remember, returnTo } = wish
      const session = yield* SessionCookie.current
      if (ReturnTo.parse(returnTo) !== undefined) yield* session.set(ReturnTo.key, returnTo)
      return yield* Completion.inBrowser(outcome.user, { ...outcome.means, remember })
    }
    case "Connect": {
      yield* PendingIdentity.keep({ ...pendingOf(provider, person, wish), account: outcome.user })
      yield* ProviderMetrics.record(provider.id, "connect")
      const { providers: texts } = yield* PageTexts.texts
      return yield* StoredFlash.redirect(signIn, Flash.info(texts.connect(provider.name, person.label)))
    }
    case "AskAddress":
    case "SignUp": {
      yield* PendingIdentity.keep({
        ...pendingOf(provider, person, wish),
        isAuthoritative: outcome._tag === "SignUp" && outcome.isProved
      })
      if (outcome._tag === "SignUp" && !(yield* ProviderSignUp.hasFields)) {
        return yield* ProviderSignUp.submitPlain(outcome.email)
      }
      yield* ProviderMetrics.record(provider.id, outcome._tag === "SignUp" ? "ask_fields" : "ask_address")
      return NoStore.seeOther(`${withProvider(provider.id)}/complete`)
    }
  }
})

const pendingOf = (provider: Provider, person: Person, { remember, returnTo }: Wish) => ({
  provider: provider.id,
  name: provider.name,
  issuer: person.issuer,
  subject: person.subject,
  label: person.label,
  ...(person.email !== undefined && { email: person.email }),
  isAuthoritative: false,
  remember,
  returnTo,
  ...(person.authenticated !== undefined && { authenticated: person.authenticated }),
  fields: person.fields
})

const complete = Effect.fnUntraced(function* (provider: Provider) {
  const { flow, person } = yield* ProviderFlow.end(provider)
  if (flow.purpose === "sign-in") return yield* proceed(provider, person, flow)
  return yield* AccountIdentities.returned(provider, flow, person)
})

// Where the person was, as far as the session tells: somebody who is signed in has begun it on a page of the account.
const back = Effect.map(SessionCookie.identity, (identity) => (Option.isSome(identity) ? home : signIn))

const callback = Effect.gen(function* () {
  const provider = yield* ProviderFlow.provider
  const byApi = yield* ProviderCode.returned(provider)
  if (Option.isSome(byApi)) return byApi.value
  const { providers: texts } = yield* PageTexts.texts
  const leave = (text: string) => Effect.flatMap(back, (to) => StoredFlash.redirect(to, Flash.error(text)))
  const failed = (failure: FlowExpired | ProviderRefused | ProviderUnavailable) =>
    Effect.flatMap(ProviderFlow.failed(provider, failure), (outcome) =>
      leave(outcome === "expired" ? texts.expired : texts[outcome](provider.name))
    )
  return yield* complete(provider).pipe(
    Effect.catchTags({
      FlowExpired: failed,
      ProviderUnavailable: failed,
      ProviderRefused: failed,
      IdentityTaken: () => leave(texts.taken(provider.name)),
      // A hook has refused the account, or it is locked: what a password gets, without a page at this address.
      InvalidForm: ({ error }) => leave(error),
      HookFailed: AccountEvents.refused
    })
  )
}).pipe(limitedCallback)

// Over the limit, or where the database does not respond, a page is shown at the address of the return after all: what it loads
// and links to must not be told the code. A reload goes on, since nothing was used up. Under `no-referrer` a browser would send
// the forms of the page with `Origin: null`.
const concealed = Effect.zipRight(
  Effect.map(RequestState, ({ headers }) =>
    headers.set("referrer-policy", "strict-origin").set("cache-control", "no-store")
  ),
  callback
)

const begin = limitedBegin(
  Effect.gen(function* () {
    const { remember } = yield* FormState.read(Begin)
    return yield* ProviderFlow.beginFrom(signIn, { purpose: "sign-in", remember: remember !== undefined })
  })
)

/** `POST /login/with/:provider` and its callback, limited by client, and the page that completes a sign-up. */
export const routes = [
  HttpLayerRouter.route("POST", paths.begin, begin),
  HttpLayerRouter.route("GET", paths.callback, concealed),
  ...ProviderSignUp.routes
]

// The flows of clients of the typed API: the browser comes back from the provider to an address of the client, with a code that
// works once, for a minute, and only for the client that has begun the flow.
import { Effect, Option, Redacted, Schema } from "effect"
import * as ApiFlow from "../../../src/auth/internal/providers/ApiFlow.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { flowLifetime, ProviderFlows } from "../../../src/auth/internal/providers/ProviderFlows.ts"
import { isLive, type Purpose } from "../../../src/auth/internal/providers/StoredFlow.ts"
import { FlowExpired, type Provider, Providers } from "../../../src/auth/Providers.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import { KeyRing } from "../../../src/session/internal/KeyRing.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import { HttpTexts } from "../../../src/http/HttpTexts.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import * as Texts from "../../http/Texts.ts"
import * as FormState from "../../session/FormState.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as ProviderFlow from "./ProviderFlow.ts"

const context = "provider flow"

const visitKey = "visit"

/** What the client sends to begin: a challenge of its own, and where the browser brings the code. */
const Begin = Schema.Struct({
  challenge: Schema.String.pipe(Schema.pattern(/^[\w-]{43}$/)),
  return_to: Schema.String
})

/** What a flow is for, and whether the client has the cookies of the browser that will return. */
interface Wish {
  readonly purpose: Purpose
  readonly account?: string
  readonly isBrowser: boolean
}

// The session of somebody who is signed in, or else a mark in the cookie of a guest.
const visit = Effect.gen(function* () {
  const session = yield* SessionCookie.current
  const key = yield* session.key
  return key === "" ? yield* session.get(visitKey) : Option.some(key)
})

const newVisit = Effect.gen(function* () {
  const found = yield* visit
  if (Option.isSome(found)) return found.value
  const made = yield* ProviderFlow.random(16)
  yield* Effect.flatMap(SessionCookie.current, (session) => session.set(visitKey, made))
  return made
})

/** The address of the provider to open, limited by client. Nothing is stored: the state holds the flow. */
export const begin = (id: string, { account = "", isBrowser, purpose }: Wish) =>
  Effect.gen(function* () {
    const { challenge, return_to } = yield* FormState.read(Begin)
    const provider = yield* ProviderFlow.find(id, purpose)
    const returnTo = ApiFlow.returnTo(return_to, yield* AuthConfig, isBrowser)
    if (returnTo === undefined) {
      const { invalidField } = (yield* Texts.of(HttpTexts)).form
      return yield* FormState.invalid(Begin, { fieldErrors: { return_to: invalidField } })
    }
    const flow: ApiFlow.ApiFlow = {
      provider: provider.id,
      verifier: yield* ProviderFlow.random(32),
      begun: yield* EpochSeconds.seconds,
      purpose,
      account,
      visit: isBrowser || account !== "" ? yield* newVisit : "",
      isBrowser,
      challenge,
      returnTo
    }
    const { text: state } = yield* Effect.flatMap(KeyRing, ({ seal }) => seal(ApiFlow.encode(flow), context))
    const url = yield* Effect.tapError(
      provider.authorize(yield* ProviderFlow.flowOf(provider, { ...flow, state })),
      (failure) => ProviderFlow.failed(provider, failure)
    )
    return { url: url.href }
  }).pipe(RateLimit.middleware(AuthRateLimits.rules.provider))

/** Keeps what a code of this client stands for, until the code is redeemed. */
const issue = Effect.fnUntraced(function* (returned: ApiFlow.Returned, options: { readonly isLong?: boolean } = {}) {
  const code = yield* ProviderFlow.random(32)
  const { issue: store } = yield* ProviderFlows
  const { challenge } = returned
  yield* store(code, ApiFlow.print(returned), { challenge, ...(options.isLong === true && { lifetime: flowLifetime }) })
  return code
})

const end = Effect.fnUntraced(function* (from: Provider, flow: ApiFlow.ApiFlow, given: URLSearchParams) {
  const { begun, isBrowser, provider, purpose, verifier } = flow
  const states = given.getAll("state")
  const isOwn = !isBrowser || Option.contains(yield* visit, flow.visit)
  const isRight = isOwn && provider === from.id && states.length === 1 && isLive(flow, yield* EpochSeconds.seconds)
  const flows = yield* ProviderFlows
  if (!isRight || !(yield* flows.claim(verifier))) return yield* new FlowExpired()
  const [state = ""] = states
  const person = yield* from.identify(given, yield* ProviderFlow.flowOf(from, { purpose, state, verifier }))
  const { account, challenge, visit: begunBy } = flow
  return yield* issue({
    provider,
    begun,
    account,
    visit: begunBy,
    isBrowser,
    challenge,
    use: purpose,
    person,
    remember: false
  })
})

/** Sends a browser on to the client that has begun the flow of this return; `None` for a flow of the pages. */
export const returned = Effect.fnUntraced(function* (from: Provider) {
  const given = yield* ProviderFlow.parameters
  const opened = yield* Effect.flatMap(KeyRing, ({ unseal }) => unseal(given.get("state") ?? "", context))
  const flow = Option.flatMap(opened, ApiFlow.decode)
  if (Option.isNone(flow)) return Option.none()
  const { returnTo } = flow.value
  const address = yield* end(from, flow.value, given).pipe(
    Effect.map((code) => ApiFlow.withParameter(returnTo, "code", code)),
    Effect.catchAll((failure) =>
      Effect.map(ProviderFlow.failed(from, failure), (outcome) => ApiFlow.withParameter(returnTo, "error", outcome))
    )
  )
  return Option.some(NoStore.seeOther(address))
})

const Redemption = Schema.Struct({
  code: Schema.Redacted(Schema.NonEmptyString),
  verifier: Schema.Redacted(Schema.NonEmptyString)
})

/** Who redeems a code, and for what. */
interface Redeemer {
  readonly uses: ReadonlyArray<ApiFlow.Use>
  /** Whether a browser with its cookies redeems it; `undefined` where the session of the account decides. */
  readonly isBrowser?: boolean
  /** The account that it must have been begun for. */
  readonly account?: string
}

/** What the code in this request stands for, once, and the provider; limited by client. */
export const redeem = ({ account = "", isBrowser, uses }: Redeemer) =>
  Effect.gen(function* () {
    // A revocation of the account from here on undoes a sign-in by this request.
    yield* Effect.flatMap(SessionCookie.current, (session) => session.trackRevocations)
    const { code, verifier } = yield* FormState.read(Redemption)
    const flows = yield* ProviderFlows
    const text = yield* flows.redeem(Redacted.value(code), Redacted.value(verifier))
    const found = yield* Effect.mapError(Option.flatMap(text, ApiFlow.parse), () => new FlowExpired())
    const isOwn = found.visit === "" || Option.contains(yield* visit, found.visit)
    const isSameKind = isBrowser === undefined || found.isBrowser === isBrowser
    const isRight = isOwn && isSameKind && uses.includes(found.use) && found.account === account
    const provider = (yield* Effect.flatMap(Providers, ({ all }) => all)).find(({ id }) => id === found.provider)
    if (!isRight || provider === undefined || !isLive(found, yield* EpochSeconds.seconds)) {
      return yield* new FlowExpired()
    }
    return { provider, returned: found }
  }).pipe(RateLimit.middleware(AuthRateLimits.rules.providerCallback))

/** A new code for what has to follow a sign-in, for ten minutes. */
export const proceed = (found: ApiFlow.Returned, next: Partial<ApiFlow.Returned>) =>
  EpochSeconds.use((begun) => issue({ ...found, begun, ...next }, { isLong: true }))

/** Gives a code back whose form was refused: the person corrects it, within the time that is left. */
export const restore = (found: ApiFlow.Returned) =>
  Effect.gen(function* () {
    const { code } = yield* FormState.read(Redemption)
    const { issue: store } = yield* ProviderFlows
    yield* store(Redacted.value(code), ApiFlow.print(found), { challenge: found.challenge, lifetime: flowLifetime })
  })

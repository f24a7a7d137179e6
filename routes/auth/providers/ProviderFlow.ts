// A flow with a provider: begun by a form, kept in the session of the browser, and ended by its return.
import { HttpRouter, HttpServerError, HttpServerRequest } from "@effect/platform"
import { Effect, Option, Redacted } from "effect"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { ProviderFlows } from "../../../src/auth/internal/providers/ProviderFlows.ts"
import * as ProviderMetrics from "../../../src/auth/internal/providers/ProviderMetrics.ts"
import * as StoredFlow from "../../../src/auth/internal/providers/StoredFlow.ts"
import {
  type Flow,
  FlowExpired,
  type Provider,
  type ProviderRefused,
  Providers,
  type ProviderUnavailable
} from "../../../src/auth/Providers.ts"
import { Entropy } from "../../../src/session/internal/Entropy.ts"
import * as ReturnTo from "../../../src/session/internal/ReturnTo.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as Flash from "../../session/Flash.ts"
import * as StoredFlash from "../../session/internal/StoredFlash.ts"
import { withProvider } from "../internal/AuthPaths.ts"
import * as PageTexts from "../internal/PageTexts.ts"

const key = StoredFlow.sessionKey

/** The provider of this id; 404 for one that the program does not have, or that does not do this. */
export const find = Effect.fnUntraced(function* (id: string | undefined, purpose?: StoredFlow.Purpose) {
  const all = yield* Effect.flatMap(Providers, (providers) => providers.all)
  const found = all.find((one) => one.id === id && (purpose !== "confirm" || one.asksAgain))
  if (found !== undefined) return found
  return yield* new HttpServerError.RouteNotFound({ request: yield* HttpServerRequest.HttpServerRequest })
})

const inPath = (purpose?: StoredFlow.Purpose) =>
  Effect.flatMap(HttpRouter.params, ({ provider: id }) => find(id, purpose))

/** The provider in the path of this request. */
export const provider = inPath()

/** The secrets of a flow. The provider sends the browser back to `APP_URL`, whatever host was asked. */
export const flowOf = (
  { id }: Provider,
  { purpose, state, verifier }: Pick<StoredFlow.StoredFlow, "purpose" | "state" | "verifier">
) =>
  Effect.map(AuthConfig, ({ appUrl }): Flow => ({
    state,
    verifier: Redacted.make(verifier),
    redirectUri: `${appUrl}${withProvider(id)}/callback`,
    isFresh: purpose === "confirm"
  }))

/** What a flow is for. */
interface Wish {
  readonly purpose: StoredFlow.Purpose
  /** The account that it is for. */
  readonly account?: string
  readonly remember?: boolean
}

/** A random text. */
export const random = (size: number) =>
  Effect.map(Entropy, ({ bytes }) => Buffer.from(bytes(size)).toString("base64url"))

/** Sends the browser to the provider. Nothing is stored but in its session: a flood of these makes no row. */
const begin = Effect.fnUntraced(function* (to: Provider, { account = "", purpose, remember = false }: Wish) {
  const session = yield* SessionCookie.current
  const now = yield* EpochSeconds.seconds
  const target = yield* session.get(purpose === "confirm" ? ReturnTo.confirmKey : ReturnTo.key)
  const stored: StoredFlow.StoredFlow = {
    provider: to.id,
    state: yield* random(16),
    verifier: yield* random(32),
    begun: now,
    purpose,
    account,
    remember,
    returnTo: Option.getOrElse(target, () => "")
  }
  const url = yield* to.authorize(yield* flowOf(to, stored))
  const before = StoredFlow.decode(Option.getOrElse(yield* session.get(key), () => ""))
  yield* session.set(key, StoredFlow.encode(StoredFlow.add(before, stored, now)))
  return NoStore.seeOther(url.href)
})

/** Sends the browser to the provider in the path; one that does not respond sends it back to its page, with a message. */
export const beginFrom = Effect.fnUntraced(function* (page: string, wish: Wish) {
  const to = yield* inPath(wish.purpose)
  return yield* Effect.catchTag(begin(to, wish), "ProviderUnavailable", (failure) =>
    Effect.gen(function* () {
      yield* failed(to, failure)
      const { providers: texts } = yield* PageTexts.texts
      return yield* StoredFlash.redirect(page, Flash.error(texts.unavailable(to.name)))
    })
  )
})

/** How a flow fails that was begun rightly. */
type Failure = FlowExpired | ProviderRefused | ProviderUnavailable

const outcomes = { FlowExpired: "expired", ProviderRefused: "refused", ProviderUnavailable: "unavailable" } as const

/** Counts a failure and logs it; what a person or a client is told of it. */
export const failed = Effect.fnUntraced(function* ({ id }: Provider, failure: Failure) {
  if (failure._tag === "ProviderRefused") yield* ProviderMetrics.record(id, failure.reason)
  else yield* ProviderMetrics.record(id, outcomes[failure._tag])
  if (failure._tag === "ProviderUnavailable") yield* Effect.logWarning(failure.message)
  if (failure._tag === "ProviderRefused") {
    yield* failure.reason === "configuration" ? Effect.logError(failure.message) : Effect.logInfo(failure.message)
  }
  return outcomes[failure._tag]
})

/** The parameters of this request. */
export const parameters = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => {
  const at = url.indexOf("?")
  return new URLSearchParams(at === -1 ? "" : url.slice(at + 1))
})

/**
 * The flow that this request ends, and who the provider says has come back. It must be one of this browser and of this
 * provider, not be late, and not have been used: its state is used up before the provider is asked.
 */
export const end = Effect.fnUntraced(function* (from: Provider) {
  const session = yield* SessionCookie.current
  // A revocation of the account from here on undoes a sign-in by this request.
  yield* session.trackRevocations
  const given = yield* parameters
  const [state = "", ...others] = given.getAll("state")
  const flows = StoredFlow.decode(Option.getOrElse(yield* session.get(key), () => ""))
  const [found, rest] = StoredFlow.take(flows, { provider: from.id, state }, yield* EpochSeconds.seconds)
  if (rest.length === 0) yield* session.pull(key)
  else yield* session.set(key, StoredFlow.encode(rest))
  if (Option.isNone(found) || others.length > 0) return yield* new FlowExpired()
  if (!(yield* Effect.flatMap(ProviderFlows, ({ claim }) => claim(state)))) return yield* new FlowExpired()
  const person = yield* from.identify(given, yield* flowOf(from, found.value))
  return { flow: found.value, person }
})

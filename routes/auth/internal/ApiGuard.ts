// What the middleware of an `HttpApi` decides: who a request comes from, by its `Authorization` header or by its cookies.
import { HttpServerRequest } from "@effect/platform"
import { Context, Effect, Option, type Scope } from "effect"
import { type Authorization, bearerChallenge, challenge } from "../../../src/http/internal/Authorization.ts"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { Csrf, type CsrfMismatch } from "../../../src/session/Csrf.ts"
import type { Identity } from "../../../src/session/Identity.ts"
import { KnownDevices } from "../../../src/auth/internal/KnownDevices.ts"
import { Notices } from "../../../src/auth/internal/Notices.ts"
import { PendingSignIns } from "../../../src/auth/internal/PendingSignIns.ts"
import { FactorPolicy } from "../../../src/auth/FactorPolicy.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { RateLimit } from "../../../src/session/RateLimit.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { SessionConfig } from "../../../src/session/internal/SessionConfig.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import { FactorRequired, Unauthenticated } from "../../../src/auth/AuthError.ts"
import { Users } from "../../../src/auth/Users.ts"
import type { AfterResponse } from "../../../src/http/AfterResponse.ts"
import { RequestState, type State } from "../../../src/http/internal/RequestState.ts"
import { Mailer } from "../../../src/mail/Mailer.ts"
import * as CsrfGuard from "../../session/internal/CsrfGuard.ts"
import { type Guard, RememberGuard, SessionGuard } from "../Authentication.ts"
import * as BearerGuard from "./BearerGuard.ts"
import * as FactorGuard from "./FactorGuard.ts"
import { firstOf } from "../../session/internal/FirstGuard.ts"

const tags = [
  AuthConfig,
  Csrf,
  FactorPolicy,
  Factors,
  KnownDevices,
  Mailer,
  Notices,
  PendingSignIns,
  RateLimit,
  SecurityEvents,
  SessionConfig,
  Sessions,
  Tokens,
  Trust,
  Users
] as const

/** The services of the program that the guards use. */
export type Needs = Context.Tag.Identifier<(typeof tags)[number]>

/** These services out of those of the program. A guard that needs another one does not compile. */
export const services: Effect.Effect<Context.Context<Needs>, never, Needs> = Effect.map(
  Effect.context<Needs>(),
  Context.pick(...tags)
)

type Request = AfterResponse | RequestState | HttpServerRequest.HttpServerRequest | Scope.Scope

/** What a middleware accepts. */
export interface Accepted<E = never, R = Needs | Request> {
  /** The account of the text after `Bearer`. */
  readonly bearer: ((text: string) => Effect.Effect<Option.Option<Identity>, E, R>) | undefined
  /** The guard of the cookies that it accepts. */
  readonly cookies: Guard<Needs | Request> | undefined
}

export type Failure = Unauthenticated | CsrfMismatch | FactorRequired

/** The cookie of a session, or that of a trusted device. */
export const cookies = firstOf([SessionGuard, RememberGuard])

const challengeOf = <E, R>({ bearer, cookies }: Accepted<E, R>, realm: string, isPresented: boolean): string => {
  if (isPresented) return bearer === undefined ? challenge(realm) : bearerChallenge(realm, "invalid_token")
  const schemes = [cookies !== undefined && challenge(realm), bearer !== undefined && bearerChallenge(realm)]
  return schemes.filter((scheme) => scheme !== false).join(", ")
}

/** Finds the account, or refuses the request. */
export const found = <E, R>(
  accepted: Accepted<E, R>
): Effect.Effect<Identity, Unauthenticated | CsrfMismatch | E, Needs | Request | R> =>
  Effect.gen(function* () {
    const services = yield* Effect.context<AuthConfig | Request>()
    const state = Context.get(services, RequestState)
    state.personal = true
    const request = Context.get(services, HttpServerRequest.HttpServerRequest)
    const { realm } = Context.get(services, AuthConfig)
    const authorization = BearerGuard.authorizationOf(request)
    const isPresented = authorization._tag !== "Absent"
    const found = isPresented ? yield* byAuthorization(accepted, authorization) : yield* byCookies(accepted, request)
    if (Option.isSome(found)) return found.value
    state.challenge = challengeOf(accepted, realm, isPresented)
    return yield* new Unauthenticated({ realm })
  })

/** Finds the account, or refuses the request; also that of an account which lacks a second factor that it needs. */
export const required = <E, R>(accepted: Accepted<E, R>): Effect.Effect<Identity, Failure | E, Needs | Request | R> =>
  Effect.flatMap(found(accepted), (user) => FactorGuard.checked(user, Effect.succeed(user), new FactorRequired()))

// Unusable text is no session either: no handler finds the one of a cookie.
const byAuthorization = <E, R>(
  { bearer }: Accepted<E, R>,
  given: Authorization
): Effect.Effect<Option.Option<Identity>, E, R | Needs | Request> =>
  bearer !== undefined && given._tag === "Bearer" ? bearer(given.text) : BearerGuard.nobody

// Never tried beside an `Authorization` header: a client with a bad bearer must not act as the account of a cookie.
const byCookies = <E, R>({ cookies }: Accepted<E, R>, { headers }: HttpServerRequest.HttpServerRequest) =>
  // Without a cookie nothing can be forged, and nobody is signed in.
  cookies === undefined || headers["cookie"] === undefined
    ? Effect.succeedNone
    : Effect.flatMap(CsrfGuard.header, () => cookies)

// Effect tries the next scheme after a refusal: the first one decides for all, and the others repeat what it decided.
const refusal: unique symbol = Symbol("effect-framework/auth/ApiGuard")
type Refused = State & { [refusal]?: unknown }

/** Keeps a refusal for the other schemes of the middleware. */
export const deciding = <A, E, R>(guard: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | RequestState> =>
  Effect.tapError(guard, (failure) => Effect.map(RequestState, (state: Refused) => void (state[refusal] = failure)))

/** The refusal that the first scheme has decided on. A boundary of the type system: that one fails with nothing else. */
export const repeated = <E>(): Effect.Effect<never, E, RequestState> =>
  Effect.flatMap(RequestState, (state: Refused) => Effect.fail((state[refusal] ?? new Unauthenticated({})) as E))

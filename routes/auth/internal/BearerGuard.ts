// Finds the account by the `Authorization` header: of a session, or of an API token that has a scope.
import { HttpServerRequest } from "@effect/platform"
import { Context, Effect, Option, Predicate, Redacted } from "effect"
import * as Authorization from "../../../src/http/internal/Authorization.ts"
import type { Identity } from "../../../src/session/Identity.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import type * as SessionCookie from "../../session/internal/SessionCookie.ts"
import { InsufficientScope } from "../../../src/auth/ApiScopes.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import * as BearerToken from "../../../src/session/internal/BearerToken.ts"
import { scopeChallenge } from "../../../src/http/internal/Authorization.ts"
import * as ForwardedFor from "../../../src/session/internal/ForwardedFor.ts"
import * as GrantedScopes from "../../../src/session/internal/GrantedScopes.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

/** The header of this request. */
export const authorizationOf = ({
  headers,
  source
}: HttpServerRequest.HttpServerRequest): Authorization.Authorization =>
  Authorization.read(
    headers["authorization"],
    Predicate.hasProperty(source, "rawHeaders") ? source.rawHeaders : undefined
  )

/** The account of the session with this secret. The session of the request is that one from here on. */
export const sessionOf = (text: string): Effect.Effect<Option.Option<Identity>, never, SessionCookie.Needs> =>
  RequestServices.use((services: Context.Context<SessionCookie.Needs>) => {
    const { headers } = Context.get(services, HttpServerRequest.HttpServerRequest)
    const state = Context.get(services, RequestState)
    return Context.get(services, Sessions).attachBearer(state, headers, Redacted.make(text)).identity
  })

/** Nobody, and a session of nobody for the rest of the request. */
export const nobody = sessionOf("")

/** What a token has to have, and how often it may be used. */
interface Required {
  readonly scope: string
  readonly limit: RateLimit.Rule | undefined
}

type Needs = ApiTokens | AuthConfig | SessionCookie.Needs

const byToken = Effect.fnUntraced(function* (text: string, { limit, scope }: Required) {
  const services = yield* Effect.context<Needs>()
  const state = Context.get(services, RequestState)
  const secret = Redacted.make(text)
  // The session of this request is nobody's: whatever cookies came with the token, no handler may find their account.
  const { headers } = Context.get(services, HttpServerRequest.HttpServerRequest)
  Context.get(services, Sessions).attachBearer(state, headers, secret)
  const tokens = Context.get(services, ApiTokens)
  const grant = yield* tokens.verify(secret)
  if (Option.isNone(grant)) {
    yield* RateLimit.spend(AuthRateLimits.rules.apiToken, ForwardedFor.bucket(state.clientAddress))
    return Option.none<Identity>()
  }
  const { handle, identity, scopes } = grant.value
  state.account = identity.id
  if (limit !== undefined) yield* RateLimit.spend(limit, handle)
  if (!scopes.has(scope)) {
    state.challenge = scopeChallenge(Context.get(services, AuthConfig).realm, scope)
    return yield* new InsufficientScope({ scope })
  }
  // The list and not `verify`: a response that stays open is no further use of the token.
  const isValid = Effect.map(tokens.list(identity.id), (all) => all.some((one) => one.handle === handle))
  GrantedScopes.grant(state, { scopes, isValid })
  return Option.some(identity)
})

/** The account of a bearer: of a token with the scope, or of a session, which has every scope. */
export const bearerOf = (required: Required) => (text: string) =>
  BearerToken.kindOf(text) === "token" ? byToken(text, required) : sessionOf(text)

// Endpoints of an `HttpApi` that API tokens may call: each names the scope that a token needs.
import { HttpApiMiddleware } from "@effect/platform"
import { Context, Effect, Layer, Schema } from "effect"
import { type ApiScopes, InsufficientScope } from "../../src/auth/ApiScopes.ts"
import { ApiTokens } from "../../src/auth/ApiTokens.ts"
import { FactorRequired, Unauthenticated } from "../../src/auth/AuthError.ts"
import { CsrfMismatch } from "../../src/session/Csrf.ts"
import { CurrentIdentity } from "../../src/session/Identity.ts"
import { type Rule, TooManyRequests } from "../../src/session/RateLimit.ts"
import * as RequestServices from "../../src/http/internal/RequestServices.ts"
import { served } from "./api/AccountOperation.ts"
import * as ApiGuard from "./internal/ApiGuard.ts"
import { bearer, session } from "./internal/ApiSecurity.ts"
import * as BearerGuard from "./internal/BearerGuard.ts"

type Failure = ApiGuard.Failure | InsufficientScope | TooManyRequests

/** The guard of one scope. */
export interface ScopeAuthentication<Scope extends string> {
  readonly scope: Scope
  readonly [HttpApiMiddleware.TypeId]: {
    readonly provides: CurrentIdentity
    readonly failure: Failure
    readonly failureContext: never
  }
}

const failureOf = (scope: string) =>
  Schema.Union(
    Unauthenticated,
    CsrfMismatch,
    FactorRequired,
    InsufficientScope.annotations({ description: `The API token has no scope ${scope}.` }),
    TooManyRequests
  )

/**
 * Requires an API token with this scope, or a signed-in account as `ApiAuthentication` does: a session has every scope.
 * `HttpApiEndpoint.get("list", "/notes").middleware(ScopeAuthentication.requires(scopes, "notes:read"))`.
 */
export const requires = <Scope extends string, const One extends NoInfer<Scope>>(
  _scopes: ApiScopes<Scope>,
  scope: One
) =>
  HttpApiMiddleware.Tag<ScopeAuthentication<One>>()(`effect-framework/auth/ScopeAuthentication/${scope}`, {
    provides: CurrentIdentity,
    failure: failureOf(scope),
    security: { bearer, session }
  })

/** How often one token may be used. */
export interface Options {
  readonly requestsPerToken?: Omit<Rule, "scope">
}

type Guards<Scope extends string> = Scope extends string ? ScopeAuthentication<Scope> : never

type Needs = ApiGuard.Needs | ApiTokens

/** The guards of all scopes, over the stores of the program. */
export const layer = <Scope extends string>(
  scopes: ApiScopes<Scope>,
  { requestsPerToken }: Options = {}
): Layer.Layer<Guards<Scope>, never, Needs> => {
  const limit = requestsPerToken === undefined ? undefined : { ...requestsPerToken, scope: "api_token.requests" }
  const build = (services: Context.Context<Needs>) => {
    const guards = scopes.names.map((scope) => {
      const required = ApiGuard.required({ bearer: BearerGuard.bearerOf({ scope, limit }), cookies: ApiGuard.cookies })
      const guard = served(RequestServices.provideBelow(ApiGuard.deciding(required), services))
      const next = served(ApiGuard.repeated<Failure>())
      return Context.make(requires(scopes, scope), { bearer: () => guard, session: () => next })
    })
    // A boundary of the type system: one guard for each scope.
    return Context.mergeAll(...guards) as Context.Context<Guards<Scope>>
  }
  const services = Effect.zipWith(ApiGuard.services, ApiTokens, (guards, tokens) =>
    Context.add(guards, ApiTokens, tokens)
  )
  return Layer.effectContext(Effect.map(services, build))
}

// The guards as middleware of an `HttpApi`: the endpoints of a group need a signed-in account, the OpenAPI document says so,
// and the failures are typed.
import { HttpApiMiddleware } from "@effect/platform"
import { Context, Effect, Layer, Schema } from "effect"
import { ConfirmationRequired, FactorRequired, Forbidden, Unauthenticated } from "../../src/auth/AuthError.ts"
import { NoProfile } from "../../src/auth/Profile.ts"
import { CsrfMismatch } from "../../src/session/Csrf.ts"
import { CurrentIdentity, type Identity } from "../../src/session/Identity.ts"
import * as RequestServices from "../../src/http/internal/RequestServices.ts"
import { served } from "./api/AccountOperation.ts"
import * as ApiGuard from "./internal/ApiGuard.ts"
import * as FactorGuard from "./internal/FactorGuard.ts"
import { bearer, remember, session } from "./internal/ApiSecurity.ts"
import { sessionOf } from "./internal/BearerGuard.ts"
import * as Confirmation from "./confirmation/Confirmation.ts"
import { SessionGuard } from "./Authentication.ts"

const Failure = Schema.Union(Unauthenticated, CsrfMismatch, FactorRequired)

/**
 * Requires a signed-in account, by a bearer session or by the cookies of a browser, and provides it as `CurrentIdentity`.
 * `middleware(…)` of a group guards all its endpoints, that of an API all its groups.
 *
 * @example
 * ```ts
 * import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
 * import { ApiAuthentication } from "effect-framework/routes/auth"
 * import { ApiHandlers } from "effect-framework/routes/server"
 * import { Identity } from "effect-framework/session"
 *
 * const group = HttpApiGroup.make("people")
 *   .add(HttpApiEndpoint.get("me", "/me").addSuccess(Identity.Identity))
 *   .middleware(ApiAuthentication.ApiAuthentication)
 *
 * export const PeopleApi = HttpApi.make("people").add(group).prefix("/api")
 *
 * export const handlers = ApiHandlers.group(PeopleApi, "people", (all) => all.handle("me", () => Identity.CurrentIdentity))
 * ```
 */
export class ApiAuthentication extends HttpApiMiddleware.Tag<ApiAuthentication>()(
  "effect-framework/auth/ApiAuthentication",
  { provides: CurrentIdentity, failure: Failure, security: { bearer, session } }
) {}

/**
 * Requires the cookie of a session; neither a trusted device nor a bearer is accepted.
 *
 * @example
 * ```ts
 * import { HttpApiEndpoint } from "@effect/platform"
 * import { ApiAuthentication } from "effect-framework/routes/auth"
 *
 * export const close = HttpApiEndpoint.post("close", "/shop/close").middleware(ApiAuthentication.SessionAuthentication)
 * ```
 */
export class SessionAuthentication extends HttpApiMiddleware.Tag<SessionAuthentication>()(
  "effect-framework/auth/SessionAuthentication",
  { provides: CurrentIdentity, failure: Failure, security: { session } }
) {}

/**
 * Requires the cookie of a session or of a trusted device; a bearer is not accepted.
 *
 * @example
 * ```ts
 * import { HttpApiEndpoint } from "@effect/platform"
 * import { ApiAuthentication } from "effect-framework/routes/auth"
 *
 * export const cart = HttpApiEndpoint.get("cart", "/cart").middleware(ApiAuthentication.RememberAuthentication)
 * ```
 */
export class RememberAuthentication extends HttpApiMiddleware.Tag<RememberAuthentication>()(
  "effect-framework/auth/RememberAuthentication",
  { provides: CurrentIdentity, failure: Failure, security: { session, remember } }
) {}

/**
 * Requires a bearer session; cookies are not read.
 *
 * @example
 * ```ts
 * import { HttpApiEndpoint } from "@effect/platform"
 * import { ApiAuthentication } from "effect-framework/routes/auth"
 *
 * export const sync = HttpApiEndpoint.post("sync", "/sync").middleware(ApiAuthentication.BearerAuthentication)
 * ```
 */
export class BearerAuthentication extends HttpApiMiddleware.Tag<BearerAuthentication>()(
  "effect-framework/auth/BearerAuthentication",
  { provides: CurrentIdentity, failure: Schema.Union(Unauthenticated, FactorRequired), security: { bearer } }
) {}

/**
 * Requires what `ApiAuthentication` requires, in a session that was confirmed recently: by a sign-in with the password, or by
 * the endpoint `confirm` of the group of accounts.
 *
 * @example
 * ```ts
 * import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
 * import { ApiAuthentication } from "effect-framework/routes/auth"
 *
 * export const till = HttpApiGroup.make("till")
 *   .add(HttpApiEndpoint.get("takings", "/takings").middleware(ApiAuthentication.FactorAuthentication))
 *   .add(HttpApiEndpoint.post("payOut", "/pay-out").middleware(ApiAuthentication.ConfirmedAuthentication))
 * ```
 */
export class ConfirmedAuthentication extends HttpApiMiddleware.Tag<ConfirmedAuthentication>()(
  "effect-framework/auth/ConfirmedAuthentication",
  {
    provides: CurrentIdentity,
    failure: Schema.Union(Unauthenticated, CsrfMismatch, FactorRequired, ConfirmationRequired),
    security: { bearer, session }
  }
) {}

/** Requires what `ApiAuthentication` requires, of an account that has a second factor. */
export class FactorAuthentication extends HttpApiMiddleware.Tag<FactorAuthentication>()(
  "effect-framework/auth/FactorAuthentication",
  {
    provides: CurrentIdentity,
    failure: Failure,
    security: { bearer, session }
  }
) {}

const { cookies } = ApiGuard

const everyone = { bearer: sessionOf, cookies }

const confirmed = Effect.tap(ApiGuard.required(everyone), Confirmation.required)

const withFactor = Effect.tap(ApiGuard.required(everyone), FactorGuard.required)

// Without cookies there is no CSRF check to fail.
const withoutCookies = Effect.catchTag(
  ApiGuard.required({ bearer: sessionOf, cookies: undefined }),
  "CsrfMismatch",
  Effect.die
)

/** The middleware above, over the stores of the program. */
export const layer: Layer.Layer<
  | ApiAuthentication
  | SessionAuthentication
  | RememberAuthentication
  | BearerAuthentication
  | ConfirmedAuthentication
  | FactorAuthentication,
  never,
  ApiGuard.Needs
> = Layer.effectContext(
  Effect.map(ApiGuard.services, (services) => {
    const deciding = <E>(guard: Effect.Effect<Identity, E, Effect.Effect.Context<typeof confirmed>>) => {
      const decided = served(RequestServices.provideBelow(ApiGuard.deciding(guard), services))
      return () => decided
    }
    const first = (accepted: ApiGuard.Accepted) => deciding(ApiGuard.required(accepted))
    const next = () => served(ApiGuard.repeated<ApiGuard.Failure>())
    return Context.empty().pipe(
      Context.add(ApiAuthentication, { bearer: first(everyone), session: next }),
      Context.add(ConfirmedAuthentication, {
        bearer: deciding(confirmed),
        session: next
      }),
      Context.add(FactorAuthentication, { bearer: deciding(withFactor), session: next }),
      Context.add(SessionAuthentication, { session: first({ bearer: undefined, cookies: SessionGuard }) }),
      Context.add(RememberAuthentication, { session: first({ bearer: undefined, cookies }), remember: next }),
      Context.add(BearerAuthentication, { bearer: deciding(withoutCookies) })
    )
  })
)

/** The guard of one condition, by its name. */
export interface ApiRequirement<Name extends string> {
  readonly name: Name
  readonly [HttpApiMiddleware.TypeId]: {
    readonly provides: CurrentIdentity
    readonly failure: ApiGuard.Failure | Forbidden | NoProfile
    readonly failureContext: never
  }
}

/**
 * Requires what `ApiAuthentication` requires, of an account for which the condition holds; any other one gets 403. Its
 * `layer` belongs to the layers of the API.
 *
 * @example
 * ```ts
 * import { HttpApiEndpoint } from "@effect/platform"
 * import { Effect } from "effect"
 * import { ApiAuthentication } from "effect-framework/routes/auth"
 * import { Identity } from "effect-framework/session"
 *
 * const isStaff = Effect.map(Identity.CurrentIdentity, ({ email }) => email.endsWith("@example.com"))
 *
 * export const Staff = ApiAuthentication.requires("staff", isStaff)
 *
 * export const stock = HttpApiEndpoint.get("stock", "/stock").middleware(Staff)
 * ```
 */
export const requires = <const Name extends string, R>(name: Name, condition: Effect.Effect<boolean, NoProfile, R>) => {
  const tag = HttpApiMiddleware.Tag<ApiRequirement<Name>>()(`effect-framework/auth/ApiRequirement/${name}`, {
    provides: CurrentIdentity,
    failure: Schema.Union(Unauthenticated, CsrfMismatch, FactorRequired, Forbidden, NoProfile),
    security: { bearer, session }
  })
  const guard = Effect.tap(ApiGuard.required(everyone), (identity) =>
    Effect.flatMap(RequestServices.provideService(condition, CurrentIdentity, identity), (isMet) =>
      isMet ? Effect.void : new Forbidden({})
    )
  )
  type Needs = ApiGuard.Needs | Exclude<R, CurrentIdentity>
  const layer: Layer.Layer<ApiRequirement<Name>, never, Needs> = Layer.effectContext(
    Effect.map(Effect.context<Needs>(), (services) => {
      const decided = served(RequestServices.provideBelow(ApiGuard.deciding(guard), services))
      const next = served(ApiGuard.repeated<ApiGuard.Failure | Forbidden | NoProfile>())
      return Context.make(tag, { bearer: () => decided, session: () => next })
    })
  )
  return Object.assign(tag, { layer })
}

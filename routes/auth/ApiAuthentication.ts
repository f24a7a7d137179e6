// The guards as middleware of an `HttpApi`: the endpoints of a group need a signed-in account, the OpenAPI document says so,
// and the failures are typed.
import { HttpApiMiddleware } from "@effect/platform"
import { Context, Effect, Layer, Schema } from "effect"
import { CurrentIdentity, type Identity } from "../../src/session/Identity.ts"
import * as RequestServices from "../../src/http/internal/RequestServices.ts"
import { served } from "./api/AccountOperation.ts"
import * as ApiGuard from "./internal/ApiGuard.ts"
import { bearer, NobodySignedIn, NoCsrfToken, remember, session, Unconfirmed } from "./internal/ApiSecurity.ts"
import { sessionOf } from "./internal/BearerGuard.ts"
import * as Confirmation from "./confirmation/Confirmation.ts"
import { SessionGuard } from "./Authentication.ts"

const Failure = Schema.Union(NobodySignedIn, NoCsrfToken)

/**
 * Requires a signed-in account, by a bearer session or by the cookies of a browser, and provides it as `CurrentIdentity`.
 * `middleware(…)` of a group guards all its endpoints, that of an API all its groups.
 */
export class ApiAuthentication extends HttpApiMiddleware.Tag<ApiAuthentication>()(
  "effect-framework/auth/ApiAuthentication",
  { provides: CurrentIdentity, failure: Failure, security: { bearer, session } }
) {}

/** Requires the cookie of a session; neither a trusted device nor a bearer is accepted. */
export class SessionAuthentication extends HttpApiMiddleware.Tag<SessionAuthentication>()(
  "effect-framework/auth/SessionAuthentication",
  { provides: CurrentIdentity, failure: Failure, security: { session } }
) {}

/** Requires the cookie of a session or of a trusted device; a bearer is not accepted. */
export class RememberAuthentication extends HttpApiMiddleware.Tag<RememberAuthentication>()(
  "effect-framework/auth/RememberAuthentication",
  { provides: CurrentIdentity, failure: Failure, security: { session, remember } }
) {}

/** Requires a bearer session; cookies are not read. */
export class BearerAuthentication extends HttpApiMiddleware.Tag<BearerAuthentication>()(
  "effect-framework/auth/BearerAuthentication",
  { provides: CurrentIdentity, failure: NobodySignedIn, security: { bearer } }
) {}

/**
 * Requires what `ApiAuthentication` requires, in a session that was confirmed recently: by a sign-in with the password, or by
 * the endpoint `confirm` of the group of accounts.
 */
export class ConfirmedAuthentication extends HttpApiMiddleware.Tag<ConfirmedAuthentication>()(
  "effect-framework/auth/ConfirmedAuthentication",
  {
    provides: CurrentIdentity,
    failure: Schema.Union(NobodySignedIn, NoCsrfToken, Unconfirmed),
    security: { bearer, session }
  }
) {}

const { cookies } = ApiGuard

const everyone = { bearer: sessionOf, cookies }

const confirmed = Effect.tap(ApiGuard.required(everyone), Confirmation.required)

// Without cookies there is no CSRF check to fail.
const withoutCookies = Effect.catchTag(
  ApiGuard.required({ bearer: sessionOf, cookies: undefined }),
  "CsrfMismatch",
  Effect.die
)

/** The middleware above, over the stores of the program. */
export const layer: Layer.Layer<
  ApiAuthentication | SessionAuthentication | RememberAuthentication | BearerAuthentication | ConfirmedAuthentication,
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
      Context.add(SessionAuthentication, { session: first({ bearer: undefined, cookies: SessionGuard }) }),
      Context.add(RememberAuthentication, { session: first({ bearer: undefined, cookies }), remember: next }),
      Context.add(BearerAuthentication, { bearer: deciding(withoutCookies) })
    )
  })
)
